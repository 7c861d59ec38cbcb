(* A page's text as logical lines of tokens, in blocks (LANGUAGE.md 1 and 7). *)

exception Refused of string
let refuse fmt = Printf.ksprintf (fun text -> raise (Refused text)) fmt

type kind = Name | Number | Text | Sign | End
type token = { kind : kind; text : string; line : int; start : int; stop : int }
type line = { indent : int; tokens : token array; mutable block : line list }

let reserved =
  [ "for"; "in"; "if"; "else"; "and"; "or"; "not"; "iff"; "over"; "mod"; "div"; "true"; "false"; "read"; "at"; "within";
    "across"; "once"; "as"; "on"; "language"; "title"; "sizes"; "inputs"; "category"; "layer"; "network"; "claim" ]
(* The longer ones first. *)
let signs =
  [ "..."; "<-"; "<="; ">="; "!="; ".."; "-"; "+"; "*"; "/"; "^"; "("; ")"; "["; "]"; "{"; "}"; ","; ":"; "="; "<"; ">"; "|"; "." ]

let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
let is_digit c = c >= '0' && c <= '9'
let in_name c = is_letter c || is_digit c || c = '_' || c = '~' || c = '\''

let tokens_of number raw =
  let size = String.length raw in
  let rec run p k = if k < size && p raw.[k] then run p (k + 1) else k in
  let rec go at found =
    if at >= size then List.rev found
    else
      let take kind stop = go stop ({ kind; text = String.sub raw at (stop - at); line = number; start = at; stop } :: found) in
      match raw.[at] with
      | ' ' -> go (at + 1) found
      | '#' -> List.rev found
      | '"' ->
          let stop = run (fun c -> c <> '"') (at + 1) in
          if stop >= size then refuse "line %d: these words have no closing quotation mark" number;
          go (stop + 1)
            ({ kind = Text; text = String.sub raw (at + 1) (stop - at - 1); line = number; start = at; stop = stop + 1 } :: found)
      | c when is_letter c -> take Name (run in_name at)
      | c when is_digit c -> take Number (run is_digit at)
      | c -> (
          let fits s = at + String.length s <= size && String.sub raw at (String.length s) = s in
          match List.find_opt fits signs with
          | Some s -> take Sign (at + String.length s)
          | None -> refuse "line %d: %C is no sign of the language" number c)
  in
  go 0 []

(* All of a text, or the lines of its blocks ```page, every other one left empty. *)
let page_lines text =
  let lines = String.split_on_char '\n' text in
  if not (List.mem "```page" lines) then lines
  else
    let began = ref 0 in
    let kept =
      List.mapi
        (fun k line ->
          if !began > 0 && line = "```" then began := 0;
          let kept = if !began > 0 then line else "" in
          if !began = 0 && line = "```page" then began := k + 1;
          kept)
        lines in
    if !began > 0 then refuse "line %d: ```page begins here, and no line ``` ends it" !began;
    kept

let hang stack line =
  let rec pop () = match !stack with top :: rest when top.indent >= line.indent -> stack := rest; pop () | _ -> () in
  pop ();
  let number = line.tokens.(0).line in
  match !stack with
  | [] -> assert false
  | top :: rest ->
      (match List.rev top.block with
      | last :: _ when last.indent <> line.indent -> refuse "line %d: indented otherwise than the lines of its block" number
      | _ -> ());
      if rest = [] && line.indent > 0 then refuse "line %d: indented, but no line above opens a block" number;
      top.block <- top.block @ [ line ];
      stack := line :: !stack

let lines_of text =
  let top = { indent = -1; tokens = [||]; block = [] } in
  let stack = ref [ top ] and pending = ref [] and depth = ref 0 in
  List.iteri
    (fun k raw ->
      let found = tokens_of (k + 1) raw in
      if found <> [] then begin
        List.iter
          (fun t ->
            if t.kind = Sign then
              match t.text with
              | "(" | "[" | "{" -> incr depth
              | ")" | "]" | "}" -> decr depth; if !depth < 0 then refuse "line %d: a bracket is closed that wasn't opened" t.line
              | _ -> ())
          found;
        pending := !pending @ found;
        if !depth = 0 then begin
          let stop = { kind = End; text = ""; line = k + 1; start = String.length raw; stop = String.length raw } in
          hang stack { indent = (List.hd !pending).start; tokens = Array.of_list (!pending @ [ stop ]); block = [] };
          pending := []
        end
      end)
    (page_lines text);
  if !pending <> [] then refuse "a bracket is never closed";
  top.block
