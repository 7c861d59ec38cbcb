(* A page from the trees that are checked back to its one form, which verifier/language/write.py defines as well. *)

open Proved
open Parse

let join = String.concat
let number = Big_int_Z.string_of_big_int
let binds = function
  | IfElse _ -> 0 | IffOf _ -> 1 | Or _ -> 2 | And _ -> 3 | Not _ -> 4 | Comparison _ -> 5 | Added _ -> 6 | Product _ -> 7
  | PowerOf _ -> 8 | _ -> 9
let sign = function Iff -> "iff" | s -> fst (List.find (fun (_, t) -> t = s) relations)

let rec expr least e =
  let told = told e in
  if binds e < least then "(" ^ told ^ ")" else told
and told = function
  | Numeral k -> number k
  | Constant b -> if b then "true" else "false"
  | Called x -> x
  | ItemOf (l, k) -> expr 9 l ^ "[" ^ expr 0 k ^ "]"
  | Items l -> "[" ^ items l ^ "]"
  | WithDots (l, z) -> "[" ^ items l ^ ", ..., " ^ expr 0 z ^ "]"
  | EachOf (e, k, r, c) -> expr 0 e ^ loop k r ^ condition c
  | OverAll (e, k, on, c) -> expr 0 e ^ (match k with Some (k, r) -> loop k r | None -> "") ^ " over " ^ on ^ condition c
  | RangeOf (a, b) -> expr 6 a ^ ".." ^ expr 6 b
  | Added [] -> ""
  | Added ((s, a) :: l) ->
      (if s then "" else "-") ^ expr 7 a ^ join "" (List.map (fun (s, a) -> (if s then " + " else " - ") ^ expr 7 a) l)
  | Product (a, l) ->
      let factor (o, a) =
        (match o with Multiplied -> "*" | Divided -> "/" | Modulo -> " mod " | Floored -> " div ") ^ expr 8 a in
      expr 8 a ^ join "" (List.map factor l)
  | PowerOf (a, Added [ (false, k) ]) -> expr 9 a ^ "^-" ^ expr 8 k
  | PowerOf (a, k) -> expr 9 a ^ "^" ^ expr 8 k
  | Comparison (a, l) -> chain 6 a l
  | And l -> join " and " (List.map (expr 4) l)
  | Or l -> join " or " (List.map (expr 3) l)
  | IffOf (a, b) -> expr 2 a ^ " iff " ^ expr 2 b
  | Not a -> "not " ^ expr 4 a
  | IfElse (c, a, b) -> expr 1 a ^ " if " ^ expr 1 c ^ " else " ^ expr 0 b
  | OfList (f, l) -> fst (List.find (fun (_, g) -> g = f) lists) ^ "(" ^ items l ^ ")"
  | Applied (f, l) -> f ^ "(" ^ items l ^ ")"
  | StatesOf (g, l) -> "states(" ^ g ^ "(" ^ items l ^ "))"
  | LayersOf (g, l) -> "layers(" ^ network g l ^ ")"
  | HeadsOf (g, l) -> "heads(" ^ network g l ^ ")"
  | HeadOf (_, _, a, b, c, d, e) -> "head(" ^ items [ a; b; c; d; e ] ^ ")"
  | Kept _ | Letter _ | Resolved _ -> "!"
and chain least a l = expr least a ^ join "" (List.map (fun (s, b) -> " " ^ sign s ^ " " ^ expr least b) l)
and network g l = if l = [] then g else g ^ "(" ^ items l ^ ")"
and items l = join ", " (List.map (expr 0) l)
and loop k r = " for " ^ k ^ " in " ^ expr 6 r
and condition = function Some c -> " if " ^ expr 0 c | None -> ""
(* A range stands where a sum may, and needs no brackets. *)
and range r = expr 6 r

let letters l = if l = [] then "" else "(" ^ join ", " l ^ ")"
let optional before = function Some e -> before ^ expr 0 e | None -> ""
let step = function
  | LetBe (k, e) -> k ^ " = " ^ expr 0 e
  | ReadOf (k, v, t, s, m, d) ->
      let tie = match t with Average -> "" | Leftmost -> "leftmost " | Rightmost -> "rightmost " in
      k ^ " = read " ^ expr 0 v ^ " at " ^ tie ^ "max of " ^ expr 0 s ^ optional " over " m ^ optional " else " d
let rec part indent = function
  | ForEach (k, r, l) -> (indent ^ "for " ^ k ^ " in " ^ range r ^ ":") :: List.concat_map (part (indent ^ "  ")) l
  | Use (g, l) -> [ indent ^ network g l ]
let rec line recognised indent (l : line) =
  let line = line recognised in
  let under head l = (indent ^ head ^ ":") :: List.concat_map (line (indent ^ "  ")) l in
  match l with
  | Relate (k, a, [ (Iff, b) ]) ->
      let word = if List.mem (Big_int_Z.int_of_big_int k) recognised then " recognises " else " iff " in
      [ indent ^ expr 2 a ^ word ^ expr 2 b ]
  | Relate (_, a, l) -> [ indent ^ chain 6 a l ]
  | ForIn (k, r, c, l) when k.[0] = '!' ->
      let t = String.sub k 1 (String.length k - 1) in
      let entries =
        match String.index_opt t '[' with
        | Some at -> " for " ^ String.sub t (at + 1) (String.length t - at - 2) ^ " in " ^ range r
        | None -> "" in
      under ("for all " ^ t ^ entries ^ condition c) l
  | ForIn (k, r, c, l) -> under ("for " ^ k ^ " in " ^ range r ^ condition c) l
  | When (c, l) -> under ("if " ^ expr 0 c) l
  | Within (e, a, b, l) -> under ("within " ^ expr 0 e ^ " as " ^ a ^ ", " ^ b) l
let top recognised =
  let line = line recognised in
  function
  | Each l -> line "  " l
  | Across (e, a, b, l) -> ("  across " ^ expr 0 e ^ " as " ^ a ^ ", " ^ b ^ ":") :: List.concat_map (line "    ") l
  | Once l -> "  once:" :: List.concat_map (line "    ") l
let claim c =
  let on = match c.on with None -> "once" | Some n -> "on " ^ n ^ condition c.guard in
  let skip = match c.skip with Some (e, why) -> [ "  skipped if " ^ expr 0 e ^ " \"" ^ why ^ "\"" ] | None -> [] in
  Printf.sprintf "claim %s, %s, \"%s\", %s:" c.id c.kind c.source on
  :: Printf.sprintf "  \"%s\"" c.words :: skip @ List.concat_map (top c.recognised) c.tops

(* What is declared of these kinds, in the order of the page. *)
let declared page (n, meant) =
  match meant with
  | Value e -> [ n ^ " = " ^ expr 0 e ^ (match List.assoc_opt n page.printed with Some s -> " as \"" ^ s ^ "\"" | None -> "") ]
  | ByItems l ->
      List.map (function
        | ItemsFor (k, r, e) -> n ^ "[" ^ k ^ "] = " ^ expr 0 e ^ " for " ^ k ^ " in " ^ range r
        | ItemsAt (k, r, i, e) -> n ^ "[" ^ expr 0 i ^ "] = " ^ expr 0 e ^ " for " ^ k ^ " in " ^ range r
        | ItemAt (i, e) -> n ^ "[" ^ expr 0 i ^ "] = " ^ expr 0 e) l
  | Function (ks, e) -> [ n ^ letters ks ^ " = " ^ expr 0 e ]
  | LayerOf (ks, x, i, s, e) ->
      (("layer " ^ n ^ letters ks ^ ":") :: List.map (fun s -> "  " ^ step s) s) @ [ Printf.sprintf "  %s[%s] <- %s" x i (expr 0 e) ]
  | NetworkOf (ks, l) -> ("network " ^ n ^ letters ks ^ ":") :: List.concat_map (part "  ") l
  | ListedAs (x, e) -> [ Printf.sprintf "inputs %s in %s: list %s" x n (expr 0 e) ]
  | InputsOf (x, k, low, high, set, d, by, at) ->
      let kind = match k with OfWords -> "words" | OfMultisets -> "multisets" | OfSets -> "sets" in
      let many = if low == high then expr 6 low else expr 6 low ^ ".." ^ expr 6 high in
      let noun, letter = List.assoc n page.nouns in
      let inner = told set in
      [ Printf.sprintf "inputs %s in %s: %s of %s %s %s in {%s}" x n kind many noun letter (String.sub inner 1 (String.length inner - 2))
        ^ (match d with Some d -> "^" ^ expr 9 d | None -> "")
        ^ (match by with Some (_, e) -> " by " ^ expr 0 e | None -> "")
        ^ (match at with Some j -> " at " ^ j | None -> "") ]

let page page =
  let kinds = [
    (fun (n, m) -> match m with Value _ | ByItems _ -> not (List.exists (fun c -> c.its = n) page.categories) | _ -> false);
    (fun (_, m) -> match m with Function _ -> true | _ -> false);
    (fun (_, m) -> match m with InputsOf _ | ListedAs _ -> true | _ -> false) ] in
  let after = [ (fun (_, m) -> match m with LayerOf _ -> true | _ -> false); (fun (_, m) -> match m with NetworkOf _ -> true | _ -> false) ] in
  let all = List.concat_map (fun p -> List.concat_map (declared page) (List.filter p page.declared)) in
  let category c =
    Printf.sprintf "category %s of %s if %s: %s cases, %s inputs" c.its c.inputs (expr 0 c.condition) (expr 0 c.cases) (expr 0 c.weight) in
  let tried n = match List.assoc_opt n page.to_try with Some k -> " (" ^ number k ^ ")" | None -> "" in
  [ "language 1" ]
  @ (if page.title = "" then [] else [ "title \"" ^ page.title ^ "\"" ])
  @ (if page.sizes = [] then [] else [ "sizes " ^ join ", " (List.map (fun (n, k) -> n ^ " >= " ^ number k ^ tried n) page.sizes) ])
  @ all kinds @ List.map category page.categories @ all after @ List.concat_map claim page.claims
