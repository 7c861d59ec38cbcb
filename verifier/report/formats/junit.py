"""For CI: JUnit XML, a test case for each row, failed if it isn't as it should be."""

from xml.etree import ElementTree

from verifier.report.formats import Format


class Report(Format):
    def end(self) -> None:
        suites = ElementTree.Element("testsuites")
        failures = sum(bool(row.failure) for row in self.rows)
        about = {"name": plain(self.result.title), "tests": str(len(self.rows)), "failures": str(failures)}
        suite = ElementTree.SubElement(suites, "testsuite", about, errors="0")
        for row in self.rows:
            name = plain(str(row.record["name"]))
            case = ElementTree.SubElement(suite, "testcase", classname=self.result.command, name=name)
            if row.failure:
                failed = ElementTree.SubElement(case, "failure", message=plain(row.failure.splitlines()[0]))
                failed.text = plain(row.failure)
        ElementTree.indent(suites)
        text = ElementTree.tostring(suites, encoding="unicode")
        self.write(f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n')


def plain(text: str) -> str:
    """Without what XML can't hold."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
