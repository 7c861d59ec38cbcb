(** The checker of pages as an OCaml program. Trusted besides Coq's extraction: that Zarith's integers are Z and
    positive (ExtrOcamlZBigInt, which calls itself uncertified, and whole.ml), OCaml's integers nat, its strings
    names, that [Lazy.t] is what is put off, that what whole.ml keeps of a function is its result; and the functions
    named below. *)
From Coq Require Import QArith ZArith List.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt ExtrOcamlNativeString.
From Contextual.reader Require Import Core Check Tree Fold Quick Compile Where Program.
Set Extraction KeepSingleton.
Extract Inductive delayed => "Stdlib.Lazy.t" [ "Stdlib.Lazy.from_fun" ]
  "(fun delay d -> delay (fun () -> Stdlib.Lazy.force d))".
Extract Constant String.eqb => "Stdlib.String.equal".
Extract Constant Z.gcd => "Whole.gcd".
Extract Constant Z.ggcd => "Whole.ggcd".
Extract Constant Z.leb => "Whole.leq".
Extract Constant Z.ltb => "Whole.lt".
Extract Constant Z.eqb => "Whole.equal".
Extract Constant Zbool.Zeq_bool => "Whole.equal".
Extract Constant Pos.eqb => "Whole.equal".
Extract Constant Z.mul => "Whole.mul".
Extract Constant Pos.mul => "Whole.mul".
Extract Constant Z.div => "Whole.div".
Extract Constant Z.pow => "Whole.pow".
Extract Constant Z.log2 => "Whole.log2".
Extract Constant Z.to_nat => "Whole.to_nat".
Extract Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extract Constant Z.to_pos => "Whole.to_pos".
Extract Constant Pos.of_nat => "Whole.pos_of_nat".
(** Of whole numbers, whose denominator is 1, the same fractions without a product. *)
Extract Constant Qplus => "(fun a b -> if a.qden == Big_int_Z.unit_big_int && b.qden == Big_int_Z.unit_big_int
  then { qnum = Big_int_Z.add_big_int a.qnum b.qnum; qden = a.qden }
  else { qnum = Big_int_Z.add_big_int (Whole.mul a.qnum b.qden) (Whole.mul b.qnum a.qden);
         qden = Whole.mul a.qden b.qden })".
Extract Constant Qmult => "(fun a b -> { qnum = Whole.mul a.qnum b.qnum;
  qden = if b.qden == Big_int_Z.unit_big_int then a.qden else Whole.mul a.qden b.qden })".
Extract Constant Qle_bool => "(fun a b -> if a.qden == b.qden then Whole.leq a.qnum b.qnum
  else Whole.leq (Whole.mul a.qnum b.qden) (Whole.mul b.qnum a.qden))".
Extract Constant Qeq_bool => "(fun a b -> if a.qden == b.qden then Whole.equal a.qnum b.qnum
  else Whole.equal (Whole.mul a.qnum b.qden) (Whole.mul b.qnum a.qden))".
Extract Constant List.nth_error => "Whole.nth_error".
Extract Constant List.nth => "Whole.nth".
Extract Constant over_limit => "Whole.over_limit".
Extract Constant remember => "Whole.remember".
Extract Constant remember_at => "Whole.remember_at".
Extract Constant remember_args => "Whole.remember_args".
Extract Constant remember_two => "Whole.remember_two".
Extraction "proved.ml" compiled quick_answers told_at told_of_two told_of_none with_slack that_fails ranks_of
  cases about_none constant rows_of.
