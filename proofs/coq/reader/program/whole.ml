(* Arithmetic of Coq's Z and positive by Zarith, where the extracted definitions would be slow. *)

(* Zarith's small integers are OCaml's: with these no call is needed, if their product is one, too. *)
let small (a : Z.t) = Obj.is_int (Obj.repr a)
let int (a : Z.t) : int = Obj.magic a
let half a = small a && abs (int a) < 0x40000000
let equal (a : Z.t) (b : Z.t) = a == b || (not (small a) && Z.equal a b)
let leq a b = if small a && small b then int a <= int b else Z.leq a b
let lt a b = if small a && small b then int a < int b else Z.lt a b
let mul a b = if half a && half b then Z.of_int (int a * int b) else Z.mul a b
let rec common a b = if b = 0 then a else common b (a mod b)
let gcd a b = if half a && half b then Z.of_int (common (abs (int a)) (abs (int b))) else Z.gcd a b

(* Z.ggcd: g = gcd(a, b), and a/g, b/g; of 0 and 0 all are 0. *)
let ggcd a b =
  let g = Z.gcd a b in
  if Z.equal g Z.zero then (g, (g, g)) else if Z.equal g Z.one then (g, (a, b)) else (g, (Z.divexact a g, Z.divexact b g))

(* Z.div: the floor; by 0 it is 0. *)
let div a b =
  if half a && half b && int a >= 0 && int b > 0 then Z.of_int (int a / int b)
  else if Z.sign b = 0 then Z.zero else Z.fdiv a b

(* Z.log2: of what isn't positive it is 0. *)
let log2 a = if Z.sign a <= 0 then Z.zero else Z.of_int (Z.numbits a - 1)

(* Pos.pow_pos and Z.pow: exponents are bounded by Core.v's [power]; of a negative exponent it is 0. *)
let pow a k = if Z.sign k < 0 then Z.zero else Z.pow a (Z.to_int k)

(* Z.to_nat, which is 0 below 0, and of what is no OCaml integer the largest one, an index that no list has: all other
   uses of it are bounded in Core.v. Pos.of_nat, which is 1 of 0. *)
let to_nat a = if small a then (if int a > 0 then int a else 0) else if Z.sign a <= 0 then 0 else max_int
let pos_of_nat n = if n = 0 then Z.one else Z.of_int n
let to_pos a = if Z.sign a <= 0 then Z.one else a

exception Overflow = Z.Overflow

(* Core.v's [over_limit]: that something was refused by a limit, once. What is refused later may be so for that. *)
let limited = ref false
let over_limit a = limited := true; a

(* The n-th item, from 0 on: matching on OCaml's integers as on nat would make closures. *)
let rec nth_error l n = match l with [] -> None | x :: l -> if n = 0 then Some x else nth_error l (n - 1)
let rec nth n l other = match l with [] -> other | x :: l -> if n = 0 then x else nth (n - 1) l other

(* Results that are kept. In Coq each of these is f itself; f has no effects, and by its definition there (blanking,
   blanking_at) looks at no more of its arguments than is compared here, most of it as objects. *)

(* Compile.v's [remember]: a function of g and of the list v without its first n items keeps its last result. *)
let rec without n v = if n = 0 then v else match v with [] -> [] | _ :: v -> without (n - 1) v
let remember n f =
  let nothing = Obj.repr (ref 0) in
  let names = ref nothing and values = ref nothing and result = ref (Obj.magic nothing) in
  fun g v ->
    let rest = Obj.repr (without n v) in
    if Obj.repr g == !names && rest == !values then !result
    else begin
      let found = f g v in
      if Obj.repr g != !names then names := Obj.repr g;
      values := rest; result := found;
      found
    end

(* Compile.v's [remember_at]: a function of g, of the first item of v, and of v without its first 1 + n items, for first
   items of which the key is a small whole number. *)
let remember_at key n f =
  let nothing = Obj.repr (ref 0) in
  let names = ref nothing and values = ref nothing and now = ref 1 in
  let keys = Array.make 32 0 and times = Array.make 32 0 and found = Array.make 32 (Obj.magic nothing) in
  fun g v ->
    match v with
    | [] -> f g v
    | a :: rest -> (
        match key a with
        | Some k when small k -> (
            let rest = Obj.repr (without n rest) and k = int k in
            if not (Obj.repr g == !names && rest == !values) then begin
              if Obj.repr g != !names then names := Obj.repr g;
              values := rest; incr now
            end;
            let at = k land 31 in
            if keys.(at) = k && times.(at) = !now then found.(at)
            else begin
              let then_ = !now in
              let result = f g v in
              keys.(at) <- k; times.(at) <- then_; found.(at) <- result;
              result
            end)
        | _ -> f g v)

(* Quick.v's [remember_two], for functions of a and x: a few results for the last x. *)
let remember_two same f =
  let last = ref (Obj.repr (ref 0)) and kept = ref [] in
  fun a x ->
    if Obj.repr x != !last then begin last := Obj.repr x; kept := [] end;
    match List.find_opt (fun (b, _) -> b == a || same b a) !kept with
    | Some (_, found) -> found
    | None ->
        let found = f a x in
        if Obj.repr x == !last then kept := (a, found) :: (if List.length !kept < 8 then !kept else []);
        found

(* Compile.v's [remember_args]: results for some of the last arguments, at one of four places. *)
let remember_args place same f =
  let kept = lazy (Array.make 1024 None) in
  fun a ->
    let kept = Lazy.force kept and number = place a in
    let first = if small number then ((int number * 0x9E3779B1) lsr 20) land 1020 else 0 in
    let rec look at =
      if at = first + 4 then begin let found = f a in kept.(first) <- Some (a, found); found end
      else match kept.(at) with
        | None -> let found = f a in kept.(at) <- Some (a, found); found
        | Some (b, found) -> if b == a || same b a then found else look (at + 1) in
    look first
