(* reader PAGE [NAME=SIZE ...] [-- CLAIM ...]: reads a page's text, runs the proved checker on its claims at these sizes, and
   writes what it found as JSON: the page in its one form, printed from the trees that were checked, and the answers. *)

open Proved
open Parse

let zero = Big_int_Z.zero_big_int and one = Big_int_Z.unit_big_int
let most = ref (Big_int_Z.big_int_of_int 4_000_000)

type json = Null | Bool of bool | Count of Big_int_Z.big_int | Text of string | Array of json list | Object of (string * json) list
let rec show b = function
  | Null -> Buffer.add_string b "null"
  | Bool t -> Buffer.add_string b (string_of_bool t)
  | Count k -> Buffer.add_string b (Big_int_Z.string_of_big_int k)
  | Text s ->
      Buffer.add_char b '"';
      String.iter (function
        | ('"' | '\\') as c -> Buffer.add_char b '\\'; Buffer.add_char b c
        | c when c < ' ' -> Printf.bprintf b "\\u%04x" (Char.code c)
        | c -> Buffer.add_char b c) s;
      Buffer.add_char b '"'
  | Array l -> between b '[' ']' (show b) l
  | Object l -> between b '{' '}' (fun (k, v) -> show b (Text k); Buffer.add_string b ": "; show b v) l
and between : 'a. Buffer.t -> char -> char -> ('a -> unit) -> 'a list -> unit = fun b opens closes one l ->
  Buffer.add_char b opens;
  List.iteri (fun k x -> if k > 0 then Buffer.add_string b ", "; one x) l;
  Buffer.add_char b closes

let rational q =
  let q = Q.make q.qnum q.qden in
  Text (Q.to_string q)
let rec value = function
  | Number q -> rational q
  | Truth b -> Bool b
  | List (_, l) -> Array (List.map value l)

(* How often a sign's relation was made, and its least slack, of cases of these ranks. Each sign stands in one place. *)
type found_at = { its_ranks : Big_int_Z.big_int list; shown : Proved.value list; relation : Proved.made }
type row = { made : Big_int_Z.big_int; least : (q * found_at) option }
let merged a b =
  List.map2 (fun a b -> { made = Big_int_Z.add_big_int a.made b.made; least = (if a.least = None then b.least else a.least) }) a b
let rows l where_ =
  List.mapi (fun j (made, least) -> { made; least = Option.map (fun q -> (q, where_ (Big_int_Z.big_int_of_int (j + 1)) j q)) least }) l

let whole = function Is (Number q) when Big_int_Z.eq_big_int q.qden one -> Some q.qnum | _ -> None
let known names e = whole (constant names e)

(* How many cases inputs have, and how many inputs these stand for: of all of them, and of those where each of the
   conditions is true. In one sum over the cases, if all that it needs has a value. *)
let counted names on conditions =
  let both = [ Numeral one; Called "weight" ] in
  let where c = List.map (fun e -> IfElse (c, e, Numeral zero)) both in
  let sum e c = constant names (OfList (Sum, [ OverAll (e, None, on, c) ])) in
  match sum (Items (both @ List.concat_map where conditions)) None with
  | Is (List (_, l)) when List.length l = 2 + (2 * List.length conditions) ->
      let rec pairs = function a :: b :: l -> (whole (Is a), whole (Is b)) :: pairs l | _ -> [] in
      pairs l
  | _ ->
      let alone c = (whole (sum (Numeral one) c), whole (sum (Called "weight") c)) in
      alone None :: List.map (fun c -> alone (Some c)) conditions
let count = function Some k -> Count k | None -> Null
(* What has no value: it is refused by the language, or by a limit, ours perhaps. *)
let no_value why = if !Whole.limited then ("too_large", Text (why ^ ", or is over a limit of the reader")) else ("refused", Text why)
let has_no_value = "something that it looks at has no value"

let mine page on = List.filter (fun c -> c.inputs = on) page.categories
let speaks_of_inputs page on tell =
  tell true on;
  List.iter (fun c -> List.iter (Order.speak tell []) [ c.condition; c.cases; c.weight ]) (mine page on)
let inputs names page on =
  let mine = mine page on in
  let all = counted names on (List.map (fun c -> Called c.its) mine) in
  let cases, weight = List.hd all in
  let category c (cases, weight) =
    let kept = cases <> None && weight <> None && cases = known names c.cases && weight = known names c.weight in
    (c.its, Object [ ("cases", count cases); ("inputs", count weight); ("as_said", Bool kept) ]) in
  let groups = List.map2 category mine (List.tl all) in
  let in_one = Relate (one, OfList (Count, [ Items (List.map (fun c -> Called c.its) mine) ]), [ (Equal, Numeral one) ]) in
  let apart =
    mine = []
    || match quick_answers !most names on [ OfEach (one, None, [ in_one ]) ] with
       | Some [ Cases (r, _, _) ] -> Big_int_Z.eq_big_int r.failing zero
       | _ -> false in
  if cases = None || weight = None || (not apart && !Whole.limited) then Object [ no_value has_no_value ]
  else Object [ ("cases", count cases); ("inputs", count weight); ("categories", Object groups); ("each_in_one", Bool apart) ]

(* The questions of a claim: about each case, and each `across`. *)
let questions c =
  let signs = Big_int_Z.big_int_of_int c.signs in
  OfEach (signs, c.guard, List.filter_map (function Each l -> Some l | _ -> None) c.tops)
  :: List.filter_map (function Across (e, a, b, l) -> Some (OfTwo (signs, c.guard, e, a, b, l)) | _ -> None) c.tops

(* What was traced, and isn't there: Program.v's theorems say that it is. *)
exception Differs
let there = function Some a -> a | None -> raise Differs

let verdict names c answers =
  let signs = Big_int_Z.big_int_of_int c.signs in
  let none = List.init c.signs (fun _ -> { made = zero; least = None }) in
  let lines = List.filter_map (function Once l -> Some l | Each l when c.on = None -> Some [ l ] | _ -> None) c.tops in
  let each = List.filter_map (function Each l -> Some l | _ -> None) c.tops in
  let pairs_of = List.filter_map (function Across (_, a, b, l) -> Some (a, b, l) | _ -> None) c.tops in
  let all_cases = lazy (match List.assoc_opt (Option.get c.on) (fst names) with
    | Some (AnInputs (_, i)) -> Array.of_list (there (Proved.cases !most i)) | _ -> [||]) in
  let of_none pick l = { its_ranks = []; shown = []; relation = there (pick (there (told_of_none names l))) } in
  let of_case pick (rank, w) =
    { its_ranks = [ rank ]; shown = [ w ]; relation = there (pick (there (told_at names (Option.get c.on) each (Is w)))) } in
  let of_pair pick (a, b, l) (((x, _), (y, _)) as n) =
    let i, j = ranks_of n in
    let case k = (Lazy.force all_cases).(Big_int_Z.int_of_big_int k) in
    { its_ranks = [ i; j ]; shown = [ case i; case j ];
      relation = there (pick (there (told_of_two names a b l (Is (Number x)) (Is (Number y))))) } in
  let once = List.map (about_none names) lines in
  let undefined = List.exists (fun l -> l = None) once || List.mem Undefined answers in
  if undefined then [ no_value has_no_value ]
  else begin
    let once = List.map2 (fun l rs -> (l, rows_of signs (there rs))) lines once in
    let told = match answers with Cases (r, f, at) :: _ -> Some (r, f, at) | _ -> None in
    let pairs = List.filter_map (function AllPairs (_, r, at, fail, first) -> Some (r, at, fail, first) | _ -> None) answers in
    let pairs = List.combine pairs_of pairs in
    let cases = match told with Some (r, _, _) -> r.its_cases | None -> one in
    let failing = match told with Some (r, _, _) -> r.failing | None -> zero in
    let failing_pairs = List.sort_uniq compare (List.concat_map (fun (_, (_, _, fail, _)) -> fail) pairs) in
    let about_none = List.exists (fun (_, (good, _)) -> not good) once in
    let all =
      List.map (fun (l, (_, r)) -> rows r (fun k _ q -> of_none (with_slack k q) l)) once
      @ (match told with Some (r, _, at) -> [ rows r.rows (fun k j q -> of_case (with_slack k q) (there (List.nth at j))) ] | None -> [])
      @ List.map (fun (top, (r, at, _, _)) -> rows r.their_rows (fun k j q -> of_pair (with_slack k q) top (snd (there (List.nth at j))))) pairs in
    let all = List.fold_left merged none all in
    let made = List.exists (fun r -> not (Big_int_Z.eq_big_int r.made zero)) all in
    let refuted = failing_pairs <> [] || about_none || not (Big_int_Z.eq_big_int failing zero) in
    (* About no case before all others, then by rank, a case before the pairs that it begins. *)
    let fails =
      List.filter_map (fun (l, (good, _)) -> if good then None else Some (of_none that_fails l)) once
      @ (match told with Some (_, Some f, _) -> [ of_case that_fails f ] | _ -> [])
      @ List.filter_map (fun (top, (_, _, _, first)) -> Option.map (of_pair that_fails top) first) pairs in
    let before a b = compare (List.map Big_int_Z.int_of_big_int a.its_ranks) (List.map Big_int_Z.int_of_big_int b.its_ranks) in
    let first = match List.stable_sort before fails with f :: _ -> Some f | [] -> None in
    let place number = let line, column, text = List.nth c.places (Big_int_Z.int_of_big_int number - 1) in
      (Count (Big_int_Z.big_int_of_int line), Count (Big_int_Z.big_int_of_int column), text) in
    let where_ f =
      let letters = List.fold_left (fun l (n, v) -> if List.mem_assoc n l then l else (n, v) :: l) [] f.relation.at_letters in
      let shown = List.map (fun (n, v) -> (n, match v with Is v -> value v | Refused -> Null)) letters in
      [ ("value", value f.relation.of_it.left); ("bound", value f.relation.of_it.right) ]
      @ (if shown = [] then [] else [ ("letters", Object shown) ])
      @ [ ("ranks", Array (List.map (fun k -> Count k) f.its_ranks)); ("cases", Array (List.map value f.shown)) ] in
    let row j r =
      let line, column, text = place (Big_int_Z.big_int_of_int (j + 1)) in
      Object ([ ("line", line); ("column", column); ("relation", Text text); ("made", Count r.made) ]
        @ match r.least with Some (q, f) -> [ ("least", Object (("slack", rational q) :: where_ f)) ] | None -> []) in
    let count_failing = List.length failing_pairs + if about_none then 1 else 0 in
    [ ("verdict", Text (if refuted then "refuted" else if made then "holds" else "vacuous"));
      ("cases", Count cases); ("failing", Count (Big_int_Z.add_int_big_int count_failing failing));
      ("first", match first with
        | Some f -> let line, column, _ = place f.relation.of_it.number in Object (("line", line) :: ("column", column) :: where_ f)
        | None -> Null);
      ("lines", Array (List.mapi row all)) ]
  end

let answered names lacking claims =
  let settled c =
    match (lacking (fun tell -> Order.of_claim tell c), c.skip) with
    | Some why, _ -> Some [ ("not_covered", Text why) ]
    | None, Some (e, why) -> (
        match constant names e with
        | Is (Truth true) -> Some [ ("verdict", Text "skipped"); ("why", Text why) ]
        | Is (Truth false) -> None
        | _ -> Some [ no_value "the condition of its `skipped if` has no value" ])
    | None, None -> None in
  let told = List.map (fun c -> (c, settled c)) claims in
  let open_ = List.filter_map (fun (c, s) -> if s = None then Some c else None) told in
  let is_skipped s = match s with Some (("verdict", _) :: _) -> true | _ -> false in
  let ons = List.sort_uniq compare (List.filter_map (fun (c, s) -> if is_skipped s then None else c.on) told) in
  let per_inputs on =
    let mine = List.filter (fun c -> c.on = Some on) open_ in
    let asked = List.map (fun c -> (c, questions c)) mine in
    match quick_answers !most names on (List.concat_map snd asked) with
    | None -> List.map (fun c -> (c.id, [ no_value "its inputs have no value" ])) mine
    | Some found ->
        let rec deal found = function
          | [] -> []
          | (c, qs) :: rest ->
              let k = List.length qs in
              let own = List.filteri (fun i _ -> i < k) found and others = List.filteri (fun i _ -> i >= k) found in
              (c.id, verdict names c own) :: deal others rest in
        deal found asked in
  let found = List.concat_map per_inputs ons in
  let of_claim (c, s) =
    let own = match (s, c.on) with
      | Some s, _ -> s
      | None, Some _ -> List.assoc c.id found
      | None, None -> verdict names c [] in
    Object (("id", Text c.id) :: own) in
  (List.map of_claim told, ons)

let read channel =
  set_binary_mode_in channel true;
  let b = Buffer.create 65536 in
  (try while true do Buffer.add_channel b channel 1 done with End_of_file -> ());
  Buffer.contents b

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 2000 };
  try
    let rec split before = function [] -> (List.rev before, []) | "--" :: l -> (List.rev before, l) | a :: l -> split (a :: before) l in
    let words, ids = split [] (List.tl (Array.to_list Sys.argv)) in
    let file, words = match words with f :: l -> (f, l) | [] -> Words.refuse "reader PAGE [NAME=SIZE ...] [-- CLAIM ...]" in
    let size w =
      match String.split_on_char '=' w with
      | [ n; k ] when k <> "" && String.for_all Words.is_digit k -> (n, Big_int_Z.big_int_of_string k)
      | _ -> Words.refuse "%s: NAME=SIZE is wanted" w in
    let given = List.map size words in
    let text = read (if file = "-" then stdin else open_in_bin file) in
    let page = parse text in
    let of_size (n, least) =
      match List.assoc_opt n given with
      | Some k when Big_int_Z.ge_big_int k least -> (n, k)
      | Some _ -> Words.refuse "%s is too small" n
      | None -> Words.refuse "the size %s is missing" n in
    let sizes = List.map of_size page.sizes in
    List.iter (fun (n, _) -> if not (List.mem_assoc n page.sizes) then Words.refuse "the page has no size %s" n) given;
    let claims = if ids = [] then page.claims else
      List.map (fun id -> match List.find_opt (fun c -> c.id = id) page.claims with Some c -> c | None -> Words.refuse "the page has no claim %s" id) ids in
    let declarations, lacking = Order.sorted page sizes claims in
    let names = compiled declarations in
    let found, ons = answered names lacking claims in
    let told n =
      match lacking (fun tell -> tell false n) with
      | Some why -> ("not_covered", Text why)
      | None -> (match constant names (Called n) with Is (Number _ as v) -> ("value", value v) | _ -> no_value "it is no number") in
    let constants = List.map (fun (n, s) -> (s, Object [ told n ])) page.printed in
    let about on =
      match lacking (speaks_of_inputs page on) with Some why -> Object [ ("not_covered", Text why) ] | None -> inputs names page on in
    let b = Buffer.create 65536 in
    show b (Object [ ("page", Text (String.concat "" (List.map (fun l -> l ^ "\n") (Write.page page)))); ("claims", Array found);
      ("constants", Object constants); ("inputs", Object (List.map (fun on -> (on, about on)) ons)) ]);
    print_endline (Buffer.contents b)
  with
  | Words.Refused why -> prerr_endline why; exit 2
  | Sys_error why -> prerr_endline why; exit 2
  | Differs -> prerr_endline "where a relation stands isn't where it was made"; exit 70
  | Out_of_memory | Stack_overflow | Whole.Overflow -> prerr_endline "it has no room for these numbers"; exit 4
  | e -> prerr_endline ("it broke off: " ^ Printexc.to_string e); exit 70
