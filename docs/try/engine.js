// The checker, in a worker: Python (Pyodide), and checker.zip. A question comes in, its answer goes out.
import { loadPyodide } from "./pyodide/pyodide.mjs";

try {
  const python = await loadPyodide();
  const checker = await fetch("checker.zip");
  if (!checker.ok) throw new Error(`checker.zip: ${checker.status}`);
  python.unpackArchive(await checker.arrayBuffer(), "zip");
  const answer = python.pyimport("answer").answer;
  onmessage = ({ data: { number, question } }) => {
    try {
      postMessage({ number, answer: answer(question) });
    } catch (error) {
      postMessage({ number, broken: String(error) }); // Python itself can't go on: it was too deep, or too large
    }
  };
  postMessage({ ready: true });
} catch (error) {
  postMessage({ missing: String(error) });
}
