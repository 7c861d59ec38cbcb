(* From a page's lines to the trees of Tree.v, by the grammar of LANGUAGE.md 7. *)

open Proved
open Words

type cursor = { line : Words.line; mutable at : int }

let here p = p.line.tokens.(p.at)
let sees p texts = let t = here p in (t.kind = Sign || t.kind = Name) && List.mem t.text texts
let take p text = if sees p [ text ] then (p.at <- p.at + 1; true) else false
let need p text =
  if not (take p text) then refuse "line %d: expected %s here, found %s" (here p).line text (here p).text
let of_kind p kind what =
  let t = here p in
  if t.kind <> kind || (kind = Name && List.mem t.text reserved) then refuse "line %d: expected %s here, found %s" t.line what t.text;
  p.at <- p.at + 1;
  t.text
let name p = of_kind p Name "a name"
let ends p = if (here p).kind <> End then refuse "line %d: the line should end before %s" (here p).line (here p).text
let alone p = ends p; if p.line.block <> [] then refuse "line %d: this line opens no block" (here p).line
let block p = ends p; if p.line.block = [] then refuse "line %d: a block is expected below, indented" (here p).line; p.line.block
let start (line : Words.line) = { line; at = 0 }

let relations = [ ("=", Equal); ("!=", Unequal); ("<=", AtMost); (">=", AtLeast); ("<", Less); (">", More) ]
let lists = [ ("sum", Sum); ("max", Max); ("min", Min); ("count", Count); ("all", All); ("any", Any); ("len", Len);
  ("distinct", Distinct); ("sorted", Sorted); ("abs", Abs); ("fact", Fact); ("comb", Comb); ("unit", Unit);
  ("column", Column); ("dot", Dot) ]

(* What can be neither defined nor a letter. Of the bounds of functions Core.v has no word. *)
let beyond = [ "exp_below"; "log_below"; "sqrt_below"; "softmax_below" ]
let builtins = List.map fst lists @ beyond @ [ "head"; "states"; "layers"; "heads"; "weight" ]
let fresh p =
  let line = (here p).line in
  let n = name p in
  if List.mem n builtins then refuse "line %d: %s has a meaning already; take another name" line n;
  n

(* The letters x and i of the layer that is being read. *)
let token_letters = ref ("", "")

(* Of the comparison read last, which is the outermost one where it ends: the tokens of its sides. *)
let sides = ref []

let rec separated p word part = let first = part p in if take p word then first :: separated p word part else [ first ]

let rec expression p =
  let value = iff p in
  if not (take p "if") then value
  else
    let condition = iff p in
    need p "else";
    IfElse (condition, value, expression p)
and iff p = let a = either p in if take p "iff" then IffOf (a, either p) else a
and either p = match separated p "or" both with [ a ] -> a | l -> Or l
and both p = match separated p "and" negation with [ a ] -> a | l -> And l
and negation p = if take p "not" then Not (negation p) else comparison p
and comparison p =
  let at = p.at in
  let first = sum p in
  let mine = ref [ (at, p.at) ] in
  let rec rest () =
    match List.find_opt (fun (s, _) -> take p s) relations with
    | Some (_, sign) ->
        let at = p.at in
        let side = sum p in
        mine := (at, p.at) :: !mine;
        (sign, side) :: rest ()
    | None ->
        if sees p [ "<-" ] then refuse "line %d: '<-' is one sign, which says what a layer makes: write a < -1" (here p).line;
        []
  in
  match rest () with [] -> first | l -> sides := List.rev !mine; Comparison (first, l)
and sum p =
  let minus = take p "-" in
  let first = product p in
  let rec rest () =
    if take p "+" then let a = product p in (true, a) :: rest ()
    else if take p "-" then let a = product p in (false, a) :: rest ()
    else []
  in
  match rest () with [] when not minus -> first | l -> Added ((not minus, first) :: l)
and product p =
  let first = power p in
  let rec rest () =
    match List.find_opt (fun (s, _) -> take p s) [ ("*", Multiplied); ("/", Divided); ("mod", Modulo); ("div", Floored) ] with
    | Some (_, o) -> let a = power p in (o, a) :: rest ()
    | None -> []
  in
  match rest () with [] -> first | l -> Product (first, l)
and power p =
  let base = postfix p in
  if not (take p "^") then base
  else
    let minus = take p "-" in
    let exponent = power p in
    PowerOf (base, if minus then Added [ (false, exponent) ] else exponent)
and postfix p =
  let rec go value = if take p "[" then (let k = expression p in need p "]"; go (ItemOf (value, k))) else value in
  go (atom p)
and atom p =
  let t = here p in
  match t.kind with
  | Number -> p.at <- p.at + 1; Numeral (Big_int_Z.big_int_of_string t.text)
  | Name when t.text = "true" || t.text = "false" -> p.at <- p.at + 1; Constant (t.text = "true")
  | Name -> let n = name p in if take p "(" then call n (items p ")") t.line else Called n
  | Sign when take p "(" -> let value = expression p in need p ")"; value
  | Sign when take p "[" -> listed (items p "]")
  | Sign when take p "|" -> let value = expression p in need p "|"; OfList (Abs, [ value ])
  | _ -> refuse "line %d: expected a number, a name or a bracket here, found %s" t.line t.text
and listed (l, dots) =
  if not dots then Items l else match List.rev l with last :: before -> WithDots (List.rev before, last) | [] -> assert false
(* Items, and whether ... stands before the last one. *)
and items p close =
  let dots = ref (-1) in
  let rec go k =
    if take p close then []
    else begin
      if k > 0 then (need p ","; if sees p [ close ] then ());
      if take p close then []
      else if take p "..." then begin
        if !dots >= 0 || k = 0 || close = ")" then refuse "line %d: '...' stands before the last item of a list" (here p).line;
        dots := k; go k
      end
      else let e = item p in e :: go (k + 1)
    end
  in
  let l = go 0 in
  if !dots >= 0 && !dots <> List.length l - 1 then refuse "line %d: '...' stands before the last item of a list" (here p).line;
  if List.length l > 1 && List.exists (function EachOf _ | OverAll _ -> true | _ -> false) l then
    refuse "line %d: 'for' and 'over' make all items of a list" (here p).line;
  (l, !dots >= 0)
and item p =
  let value = expression p in
  if not (sees p [ "for"; "over" ]) then value
  else
    let loop = if take p "for" then Some (reach p) else None in
    let on = if take p "over" then Some (name p) else None in
    let condition = if take p "if" then Some (expression p) else None in
    match (loop, on) with
    | Some (k, r), None -> EachOf (value, k, r, condition)
    | loop, Some on -> OverAll (value, loop, on, condition)
    | None, None -> assert false
and reach p =
  let k = fresh p in
  need p "in";
  let low = sum p in
  (k, if take p ".." then RangeOf (low, sum p) else low)
and call n (args, _) line =
  match (n, args) with
  | _, _ when List.mem_assoc n lists -> OfList (List.assoc n lists, args)
  | "head", _ when !token_letters = ("", "") -> refuse "line %d: a head stands in a layer" line
  | "head", [ a; b; c; d; e ] -> let x, i = !token_letters in HeadOf (Called x, Called i, a, b, c, d, e)
  | "states", [ Applied (g, l) ] -> StatesOf (g, l)
  | ("layers" | "heads"), [ (Called g | Applied (g, [])) ] -> if n = "layers" then LayersOf (g, []) else HeadsOf (g, [])
  | ("layers" | "heads"), [ Applied (g, l) ] -> if n = "layers" then LayersOf (g, l) else HeadsOf (g, l)
  | ("head" | "states" | "layers" | "heads" | "weight"), _ -> refuse "line %d: %s has other arguments" line n
  | _ -> Applied (n, args)

let letters p =
  if not (take p "(") then []
  else
    let rec go ks =
      let line = (here p).line in
      let k = fresh p in
      if List.mem k ks then refuse "line %d: two letters %s" line k;
      if take p ")" then List.rev (k :: ks) else (need p ","; go (k :: ks)) in
    go []

(* A layer sees its tokens as x[i], in a read as x[j], and len(x): nowhere else, and not where a loop hides these letters. *)
let sees_tokens line x i steps last =
  let wrong () = refuse "line %d: a layer sees %s[%s], and other tokens only in a read, as %s[j]" line x i x in
  (* reading: j is that of a read; hidden: letters of loops and lines around. *)
  let rec expr reading hidden e =
    let go = expr reading hidden in
    let shown n = not (List.mem n hidden) in
    match e with
    | Called n -> if n = x && shown x then wrong ()
    | OfList (Len, [ Called n ]) when n = x && shown x -> ()
    | ItemOf (Called n, k) when n = x && shown x -> (
        match k with Called k when shown k && (k = i || (reading && k = "j")) -> () | _ -> wrong ())
    | Numeral _ | Constant _ | Kept _ | Letter _ | Resolved _ -> ()
    | ItemOf (a, b) | RangeOf (a, b) | PowerOf (a, b) | IffOf (a, b) -> go a; go b
    | Items l | And l | Or l | OfList (_, l) | Applied (_, l) | StatesOf (_, l) | LayersOf (_, l) | HeadsOf (_, l) ->
        List.iter go l
    | WithDots (l, z) -> List.iter go l; go z
    | EachOf (e, k, r, c) ->
        go r;
        let inner = expr reading (k :: hidden) in
        inner e; Option.iter inner c;
        List.iter (fun e -> if Big_int_Z.sign_big_int (heads_in e) > 0 then refuse "line %d: a head stands in a layer once, in no loop" line) (e :: Option.to_list c)
    | OverAll (e, _, _, _) -> if Big_int_Z.sign_big_int (heads_in e) > 0 then refuse "line %d: a head stands in a layer once, in no loop" line
    | Added l -> List.iter (fun (_, a) -> go a) l
    | Product (a, l) -> go a; List.iter (fun (_, a) -> go a) l
    | Comparison (a, l) -> go a; List.iter (fun (_, a) -> go a) l
    | Not a -> go a
    | IfElse (c, a, b) -> go c; go a; go b
    | HeadOf (_, _, a, b, c, d, e) ->
        if not (shown x && shown i) || (reading && i = "j") then wrong ();
        List.iter go [ a; b; c; d; e ]
  in
  let rec lines hidden = function
    | [] -> expr false hidden last
    | LetBe (k, e) :: l -> expr false hidden e; lines (k :: hidden) l
    | ReadOf (k, v, _, s, m, d) :: l ->
        let inner = expr true (List.filter (fun n -> n <> "j") hidden) in
        inner v; inner s; Option.iter inner m;
        Option.iter (expr false hidden) d;
        lines (k :: hidden) l
  in
  lines [] steps

(* Lines of a layer; the last one's letters are wanted first, by head. *)
type layer_line = Before of step_of | Last of string * string * expr
let layer_line line =
  let p = start line in
  let n = fresh p in
  let found =
    if take p "[" then begin
      let i = fresh p in
      need p "]"; need p "<-";
      Last (n, i, expression p)
    end
    else begin
      need p "=";
      if take p "read" then begin
        let v = expression p in
        need p "at";
        let tie = if take p "leftmost" then Leftmost else if take p "rightmost" then Rightmost else (ignore (take p "average"); Average) in
        need p "max"; need p "of";
        let s = expression p in
        let m = if take p "over" then Some (expression p) else None in
        Before (ReadOf (n, v, tie, s, m, if take p "else" then Some (expression p) else None))
      end
      else Before (LetBe (n, expression p))
    end
  in
  alone p; found
let layer_lines lines =
  let last = (List.nth lines (List.length lines - 1)).tokens in
  if Array.length last < 5 then refuse "line %d: a layer ends with x[i] <- ..." last.(0).line;
  let where = last.(0).line in
  token_letters := (last.(0).text, last.(2).text);
  let rec go = function
    | [ Last (x, i, e) ] -> ([], x, i, e)
    | Before s :: l -> let s', x, i, e = go l in (s :: s', x, i, e)
    | _ -> refuse "line %d: a layer ends with x[i] <- ..., which stands once" last.(0).line
  in
  let s, x, i, e = go (List.map layer_line lines) in
  token_letters := ("", "");
  sees_tokens where x i s e;
  (s, x, i, e)

let rec network_line p =
  if take p "for" then begin
    let k, r = reach p in
    need p ":";
    if (here p).kind <> End then ForEach (k, r, [ network_line p ])
    else ForEach (k, r, List.map (fun l -> network_line (start l)) (block p))
  end
  else
    let n = name p in
    let args = if take p "(" then fst (items p ")") else [] in
    alone p;
    Use (n, args)

(* Lines of a claim: those about a case, and what stands at the top alone; [signs] numbers their signs. *)
type top = Each of line | Across of expr * string * string * line list | Once of line list
and line = Proved.line

(* C recognises D is C iff D, counted further: the signs that are written so. *)
let recognised = ref []

(* Of each sign: where its left side begins, and its text, from there to its right side's end. *)
let places = ref []
let placed p sides =
  let text (first, stop) =
    let token k = p.line.tokens.(k) in
    let apart k = k > first && (token k).start <> (token (k - 1)).stop || k > first && (token k).line <> (token (k - 1)).line in
    String.concat "" (List.init (stop - first) (fun n -> let k = first + n in (if apart k then " " else "") ^ (token k).text)) in
  let rec go = function
    | (first, _) :: ((_, stop) :: _ as rest) ->
        let t = p.line.tokens.(first) in
        places := (t.line, t.start + 1, text (first, stop)) :: !places;
        go rest
    | _ -> () in
  go sides

let rec claim_line signs p =
  let numbered l = let k = !signs in signs := k + List.length l; Big_int_Z.big_int_of_int k in
  if take p "for" then begin
    let k, r = if take p "all" then real_letter p else reach p in
    let c = if take p "if" then Some (expression p) else None in
    ForIn (k, r, c, inside signs p)
  end
  else if take p "if" then (let c = expression p in When (c, inside signs p))
  else if take p "within" then (let e, a, b = pair p in Within (e, a, b, inside signs p))
  else begin
    let at = p.at in
    let first = either p in
    let stop = p.at in
    let found =
      if sees p [ "iff"; "recognises" ] then begin
        if not (take p "iff") then (need p "recognises"; recognised := !signs :: !recognised);
        let k = numbered [ () ] in
        let right = p.at in
        let side = either p in
        placed p [ (at, stop); (right, p.at) ];
        Relate (k, first, [ (Iff, side) ])
      end
      else match first with Comparison (a, l) -> placed p !sides; Relate (numbered l, a, l) | _ -> refuse "line %d: a relation is expected" (here p).line
    in
    alone p; found
  end
(* for all t, and for all c[r] for r in a..b: Core.v has no word for it. The line stands in the tree so that it is printed
   back, its letter after a !, and the claim is not covered. *)
and real_letter p =
  let t = fresh p in
  if not (take p "[") then ("!" ^ t, Numeral Big_int_Z.zero_big_int)
  else begin
    let r = name p in
    need p "]"; need p "for";
    let again, l = reach p in
    if again <> r then refuse "line %d: the entries are numbered by %s" (here p).line r;
    (Printf.sprintf "!%s[%s]" t r, l)
  end
and pair p =
  let e = expression p in
  need p "as";
  let a = fresh p in
  need p ",";
  (e, a, fresh p)
and inside signs p : line list =
  need p ":";
  if (here p).kind <> End then [ claim_line signs p ] else List.map (fun l -> claim_line signs (start l)) (block p)

let top_line id once signs line =
  let p = start line in
  let at = (here p).line in
  if once && sees p [ "once" ] then
    refuse "line %d: %s is about no case as it is: write the line without `once:`" at id;
  if once && sees p [ "across" ] then
    refuse "line %d: 'across' compares cases, and %s is about none: write 'on' some inputs" at id;
  if take p "once" then Once (inside signs p)
  else if take p "across" then (let e, a, b = pair p in Across (e, a, b, inside signs p))
  else Each (claim_line signs p)

(* A page: what is declared, in the order of the text, and what stands in no tree of Tree.v. *)
type claim = { id : string; kind : string; source : string; on : string option; guard : expr option; words : string;
  skip : (expr * string) option; tops : top list; signs : int; places : (int * int * string) list; recognised : int list }
type category = { its : string; inputs : string; condition : expr; cases : expr; weight : expr }
type page = { mutable title : string; mutable sizes : (string * Big_int_Z.big_int) list; mutable to_try : (string * Big_int_Z.big_int) list;
  mutable declared : (string * meant) list; mutable printed : (string * string) list; mutable nouns : (string * (string * string)) list;
  mutable categories : category list; mutable claims : claim list }

let declare page line n meant =
  if List.mem_assoc n page.declared || List.mem_assoc n page.sizes then refuse "line %d: %s is defined already" line n;
  page.declared <- page.declared @ [ (n, meant) ]

let define page p =
  let line = (here p).line in
  let n = fresh p in
  if sees p [ "(" ] then begin
    let ks = letters p in
    need p "=";
    declare page line n (Function (ks, expression p))
  end
  else if take p "[" then begin
    let k = expression p in
    need p "]"; need p "=";
    let e = expression p in
    let item =
      if take p "for" then begin
        let letter, r = reach p in
        if k = Called letter then ItemsFor (letter, r, e) else ItemsAt (letter, r, k, e)
      end
      else ItemAt (k, e)
    in
    match List.assoc_opt n page.declared with
    | Some (ByItems l) -> page.declared <- List.map (fun (m, it) -> (m, if m = n then ByItems (l @ [ item ]) else it)) page.declared
    | _ -> declare page line n (ByItems [ item ])
  end
  else begin
    need p "=";
    let e = expression p in
    if take p "as" then page.printed <- (n, of_kind p Text "its name in certificates") :: page.printed;
    declare page line n (Value e)
  end;
  alone p

let inputs page p =
  let line = (here p).line in
  let x = fresh p in
  need p "in";
  let n = fresh p in
  need p ":";
  if take p "list" then declare page line n (ListedAs (x, expression p))
  else begin
    let kind = if take p "multisets" then OfMultisets else if take p "sets" then OfSets else (need p "words"; OfWords) in
    need p "of";
    let low = sum p in
    let high = if take p ".." then sum p else low in
    let noun = name p in
    let letter = fresh p in
    need p "in"; need p "{";
    let set = listed (items p "}") in
    let d = if take p "^" then Some (atom p) else None in
    let by = if take p "by" then Some (letter, expression p) else None in
    let at = if take p "at" then Some (fresh p) else None in
    page.nouns <- (n, (noun, letter)) :: page.nouns;
    declare page line n (InputsOf (x, kind, low, high, set, d, by, at))
  end;
  alone p

let category page p =
  let line = (here p).line in
  let its = fresh p in
  need p "of";
  let inputs = name p in
  need p "if";
  let condition = expression p in
  need p ":";
  let cases = expression p in
  need p "cases"; need p ",";
  let weight = expression p in
  need p "inputs";
  alone p;
  page.categories <- page.categories @ [ { its; inputs; condition; cases; weight } ];
  declare page line its (Value condition)

let claim page p =
  let line = (here p).line in
  let first = p.at in
  while not (sees p [ "," ]) && (here p).kind <> End do p.at <- p.at + 1 done;
  let id = String.concat "" (List.map (fun k -> p.line.tokens.(k).text) (List.init (p.at - first) (fun k -> first + k))) in
  need p ",";
  let kind = name p in
  need p ",";
  let source = of_kind p Text "its place in double quotes" in
  need p ",";
  let on = if take p "once" then None else (need p "on"; Some (name p)) in
  let guard = if on <> None && take p "if" then Some (expression p) else None in
  need p ":";
  let lines = block p in
  let q = start (List.hd lines) in
  let words = of_kind q Text "the claim's words in double quotes" in
  alone q;
  let skip, rest =
    match List.tl lines with
    | l :: rest when Array.length l.tokens > 1 && l.tokens.(0).text = "skipped" && l.tokens.(1).text = "if" ->
        let q = { line = l; at = 2 } in
        let c = expression q in
        let why = of_kind q Text "why" in
        alone q; (Some (c, why), rest)
    | rest -> (None, rest)
  in
  if rest = [] then refuse "line %d: %s has no relation" line id;
  if List.exists (fun c -> c.id = id) page.claims then refuse "line %d: %s is claimed already" line id;
  let signs = ref 1 in
  recognised := []; places := [];
  let tops = List.map (top_line id (on = None) signs) rest in
  page.claims <- page.claims @ [ { id; kind; source; on; guard; words; skip; tops; signs = !signs - 1; places = List.rev !places; recognised = !recognised } ]

let parse text =
  let page = { title = ""; sizes = []; to_try = []; declared = []; printed = []; nouns = []; categories = []; claims = [] } in
  let item (line : Words.line) =
    let p = start line in
    let at = (here p).line in
    if take p "title" then (page.title <- of_kind p Text "the title"; alone p)
    else if take p "sizes" then begin
      let rec go () =
        let n = fresh p in
        need p ">=";
        let least = Big_int_Z.big_int_of_string (of_kind p Number "its least value") in
        page.sizes <- page.sizes @ [ (n, least) ];
        if take p "(" then begin
          let tried = Big_int_Z.big_int_of_string (of_kind p Number "a size to try") in
          if Big_int_Z.lt_big_int tried least then refuse "line %d: the size to try is less than the least %s" at n;
          page.to_try <- page.to_try @ [ (n, tried) ];
          need p ")"
        end;
        if take p "," then go () else alone p
      in
      go ()
    end
    else if take p "inputs" then inputs page p
    else if take p "category" then category page p
    else if take p "layer" then begin
      let n = fresh p in
      let ks = letters p in
      need p ":";
      let s, x, i, e = layer_lines (block p) in
      let lines = List.map (function LetBe (k, _) | ReadOf (k, _, _, _, _, _) -> k) s in
      let named = ks @ [ x; i ] @ lines in
      List.iter (fun k ->
          if List.length (List.filter (( = ) k) named) > 1 || (k = "j" && not (List.mem k (i :: ks))) then
            refuse "line %d: %s has two meanings in the layer %s (j is the token that is read)" at k n) named;
      declare page at n (LayerOf (ks, x, i, s, e))
    end
    else if take p "network" then begin
      let n = fresh p in
      let ks = letters p in
      need p ":";
      declare page at n (NetworkOf (ks, List.map (fun l -> network_line (start l)) (block p)))
    end
    else if take p "claim" then claim page p
    else define page p
  in
  match lines_of text with
  | first :: rest when Array.length first.tokens = 3 && first.tokens.(0).text = "language" && first.tokens.(1).text = "1" ->
      List.iter item rest; page
  | _ -> refuse "a page begins with the line: language 1"
