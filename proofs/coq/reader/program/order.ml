(* What a page's declarations speak of: their order, each after those that it speaks of, and which speak of a case. *)

open Proved
open Parse

(* Tells of each name that isn't a letter, and whether it stands in an `over`, which has cases of its own. *)
let speak tell =
  let rec expr over ls e =
    let go = expr over ls in
    let say n = if not (List.mem n ls) then tell over n in
    let option ls = function Some e -> expr over ls e | None -> () in
    match e with
    | Numeral _ | Constant _ -> ()
    | Called x -> say x
    | ItemOf (a, b) | RangeOf (a, b) | PowerOf (a, b) | IffOf (a, b) -> go a; go b
    | Items l | And l | Or l | OfList (_, l) -> List.iter go l
    | WithDots (l, z) -> List.iter go l; go z
    | EachOf (e, k, r, c) -> go r; expr over (k :: ls) e; option (k :: ls) c
    | OverAll (e, k, on, c) ->
        tell over on;
        let inner = match k with Some (k, r) -> expr true [] r; [ k ] | None -> [] in
        expr true inner e;
        Option.iter (expr true inner) c
    | Added l -> List.iter (fun (_, a) -> go a) l
    | Product (a, l) -> go a; List.iter (fun (_, a) -> go a) l
    | Comparison (a, l) -> go a; List.iter (fun (_, a) -> go a) l
    | Not a -> go a
    | IfElse (c, a, b) -> go c; go a; go b
    | Applied (f, l) | StatesOf (f, l) | LayersOf (f, l) | HeadsOf (f, l) -> tell over f; List.iter go l
    | HeadOf (x, i, a, b, c, d, e) -> List.iter go [ x; i; a; b; c; d; e ]
    | Kept _ | Letter _ | Resolved _ -> ()
  in
  expr false

let rec line tell ls (l : line) =
  let e ls = speak tell ls in
  let all ls = List.iter (line tell ls) in
  match l with
  | Relate (_, a, l) -> e ls a; List.iter (fun (_, b) -> e ls b) l
  | ForIn (k, r, c, l) ->
      if k.[0] = '!' then tell false "for all";
      let t = if k.[0] = '!' then List.hd (String.split_on_char '[' (String.sub k 1 (String.length k - 1))) else k in
      e ls r; Option.iter (e (t :: ls)) c; all (t :: ls) l
  | When (c, l) -> e ls c; all ls l
  | Within (x, a, b, l) -> e ls x; all (a :: b :: ls) l
let top tell = function
  | Each l -> line tell [] l
  | Across (x, a, b, l) -> speak tell [] x; List.iter (line tell [ a; b ]) l
  | Once l -> List.iter (line tell []) l

let meant tell n m =
  let e = speak tell in
  match m with
  | Value a -> e [] a
  | ByItems l ->
      List.iter (function
        | ItemsFor (k, r, a) -> e [] r; e [ k; n ] a
        | ItemsAt (k, r, i, a) -> e [] r; e [ k ] i; e [ k; n ] a
        | ItemAt (i, a) -> e [] i; e [ n ] a) l
  | Function (ks, a) -> e ks a
  | LayerOf (ks, x, i, s, a) ->
      let last =
        List.fold_left (fun ls -> function
            | LetBe (k, b) -> e ls b; k :: ls
            | ReadOf (k, v, _, s, m, d) ->
                List.iter (e ("j" :: ls)) [ v; s ]; Option.iter (e ("j" :: ls)) m; Option.iter (e ls) d; k :: ls)
          (x :: i :: ks) s in
      e last a
  | NetworkOf (ks, l) ->
      let rec part ls = function
        | ForEach (k, r, l) -> e ls r; List.iter (part (k :: ls)) l
        | Use (g, l) -> tell false g; List.iter (e ls) l in
      List.iter (part ks) l
  | ListedAs (_, a) -> e [] a
  | InputsOf (_, _, low, high, set, d, by, at) ->
      let ls = Option.to_list at in
      e [] low; e [] high; e ls set; Option.iter (e ls) d;
      Option.iter (fun (k, a) -> e (k :: ls) a) by

(* What a claim speaks of. *)
let of_claim tell c =
  Option.iter (speak tell []) c.guard;
  Option.iter (fun (e, _) -> speak tell [] e) c.skip;
  Option.iter (tell false) c.on;
  List.iter (top tell) c.tops

(* Declarations that these claims and the page's constants need, as Tree.v wants them, the last one first; and what of
   something Core.v has no word for. What isn't declared has no value. *)
let sorted page sizes claims =
  let all = List.map (fun (n, k) -> (n, Value (Numeral k))) sizes @ page.declared in
  let variables = List.filter_map (function _, (InputsOf (x, _, _, _, _, _, _, _) | ListedAs (x, _)) -> Some x | _ -> None) all in
  let done_ = Hashtbl.create 64 and lacks = Hashtbl.create 64 and found = ref [] in
  let rec visit n =
    match Hashtbl.find_opt done_ n with
    | Some (Some known) -> known
    | Some None -> Words.refuse "%s is defined by itself" n
    | None -> (
        match List.assoc_opt n all with
        | None ->
            if List.mem n variables || n = "weight" then false
            else if List.mem n beyond then (Hashtbl.replace lacks n (n ^ ", a bound of a function"); true)
            else Words.refuse "%s isn't defined" n
        | Some m ->
            Hashtbl.replace done_ n None;
            let known = ref true in
            let tell over other =
              let its = visit other in
              Option.iter (Hashtbl.replace lacks n) (Hashtbl.find_opt lacks other);
              if not (its || over) then known := false in
            meant tell n m;
            Hashtbl.replace done_ n (Some !known);
            found := { its_name = n; known = !known; body = m } :: !found;
            !known)
  in
  List.iter (fun (n, _) -> ignore (visit n)) all;
  (* What speaks of a case comes as late as it can, so that it is found first. *)
  let which k = List.filter (fun d -> d.known = k) !found in
  let early = List.map (fun d -> d.its_name) (which true) and late = List.map (fun d -> d.its_name) (which false) in
  let needed = Hashtbl.create 64 in
  let rec need _ n =
    if not (Hashtbl.mem needed n) then begin
      Hashtbl.replace needed n ();
      Option.iter (meant need n) (List.assoc_opt n all);
      List.iter (fun c -> if c.inputs = n then List.iter (speak need []) [ Called c.its; c.cases; c.weight ]) page.categories
    end in
  List.iter (of_claim need) claims;
  List.iter (fun (n, _) -> need false n) page.printed;
  Hashtbl.reset done_; found := [];
  List.iter (fun n -> if Hashtbl.mem needed n then ignore (visit n)) (early @ late);
  let lacking speaks =
    let why = ref None in
    let tell _ other =
      if other = "for all" then why := Some "for all, every real number"
      else begin
        ignore (visit other);
        match Hashtbl.find_opt lacks other with Some w -> why := Some w | None -> ()
      end in
    speaks tell;
    !why
  in
  (!found, lacking)
