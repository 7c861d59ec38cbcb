(** Proposition 4 with distance 0: a network of the paper's kind that equals the piecewise constant target at every
    rational point of [0,1)^(d x n), for every permutation equivariant rational target on all of G, equal columns
    included, and that is 0 at every other rational point. Matrices are rational here, which the network and its grid
      are;
    [universal/Modified.v] says the same of this network at every point of R^(d x n), and for real targets.

    The construction is this project's, not the paper's. Each column of G gets a code C (n+1)^k; a single head whose
    scores are all 0, so that hardmax is the mean, adds the sum of all codes to each; the sum's digits in base n+1 say
    how often each column occurs. Definitions and statements only; [Exact.v] proves them. *)

From Coq Require Import QArith Qround List Arith Bool.
From Contextual Require Import Statement Layers.
Import ListNotations.
Open Scope Q_scope.

Section Exact.
Variables d n N : nat.
Notation BB := (B d N).

Definition C : nat := N ^ (d - 1).                              (* larger than every id of a column of G *)
Definition code (k : nat) : Q := of_nat (C * (n + 1) ^ k).      (* of the column whose id is k delta *)
Definition sentinel_above : Q := code BB.                                (* the sentinel, above everything *)
Definition F : nat := (n + 1) ^ BB.                             (* the factor of the attention layer *)
Definition border : Q := of_nat F * sentinel_above.

(** M, above every entry before the rejection *)
Definition largest_entry : Q := sentinel_above * (sum d (u N) + 1) * (1 + of_nat n * of_nat F).

Definition first (x : Q) : nat -> Q := fun i => if Nat.eqb i 0 then x else 0.      (* x e_1 *)

(** ** The layers *)
Definition codes : list tokenwise :=
  map (fun k => write N (of_nat k * delta N) (first (code k - of_nat k * delta N))) (seq 0 BB).
Definition mean_head : head := Head (first (of_nat n * of_nat F)) (u N) (fun _ => 0) (fun _ => 0) 0.
Definition contextual_map : list any_layer := map Each codes ++ [Attend [mean_head]].
Definition at_least (t : Q) : activation := Activation t t false nothing nothing one.
Definition rejection : list tokenwise := take_away N largest_entry (at_least border) :: clear d.

(** The contexts: nondecreasing lists of n numbers of columns, the least of them lo or more *)
Fixpoint multisets (lo m : nat) : list (list nat) :=
  match m with O => [[]] | S m' => flat_map (fun k => map (cons k) (multisets k m')) (seq lo (BB - lo)) end.

(** Column k of G: N times its entries are the digits of k in base N. *)
Definition column (k i : nat) : Q := of_nat (k / N ^ i mod N) * delta N.
Definition context (ks : list nat) : matrix := fun i j => column (nth j ks O) i.
Fixpoint position (k : nat) (ks : list nat) : nat :=
  match ks with [] => O | k' :: ks' => if Nat.eqb k' k then O else S (position k ks') end.

(** Each context with each column in it, once *)
Definition places : list (list nat * nat) :=
  flat_map (fun ks => map (pair ks) (filter (fun k => existsb (Nat.eqb k) ks) (seq 0 BB))) (multisets 0 n).

Definition key (ks : list nat) (k : nat) : Q :=
  of_nat (C * ((n + 1) ^ k + F * list_sum (map (fun k' => (n + 1) ^ k')%nat ks))).
Definition image (ks : list nat) (k i : nat) : Q := run_all d n contextual_map (context ks) i (position k ks).

Section Values.
Variable A : matrix -> matrix.                                  (* the target of each L of G *)
Definition target (p : list nat * nat) : nat -> Q := fun i => A (context (fst p)) i (position (snd p) (fst p)).
Definition target_id (p : list nat * nat) : Q := sum d (fun i => u N i * target p i).
Definition greatest (l : list Q) : Q := fold_right (fun x y => if Qle_bool x y then y else x) 0 l.
Definition down : Q := 1 + greatest (map target_id places).     (* D: every u^T A - D is -1 or less *)
Definition change (p : list nat * nat) : nat -> Q := fun i => target p i - first down i - image (fst p) (snd p) i.
Definition values : list tokenwise := map (fun p => write N (key (fst p) (snd p)) (change p)) places.
Definition less_than (t : Q) : activation := Activation t t false one nothing nothing.
Definition last : tokenwise := Tokenwise (first down) (less_than (-1 # 2)) (u N) 0.

Definition lookup : list any_layer := contextual_map ++ map Each (rejection ++ values ++ [last]).
Definition exact_network : list any_layer := map Each (quantiser d N sentinel_above) ++ lookup.
End Values.

(** ** The statements *)

(** A target: its columns follow those of L (and it depends on nothing but the entries of L). *)
Definition equivariant_on_G (A : matrix -> matrix) : Prop := forall L L' p, in_G d n N L -> in_G d n N L' ->
  (forall j, (j < n)%nat -> (p j < n)%nat) -> (forall j j', (j < n)%nat -> (j' < n)%nat -> p j = p j' -> j = j') ->
  (forall j, (j < n)%nat -> same_column d L' j L (p j)) ->
  forall j, (j < n)%nat -> same_column d (A L') j (A L) (p j).

Definition in_cubes (X : matrix) : Prop := forall i j, (i < d)%nat -> (j < n)%nat -> 0 <= X i j /\ X i j < 1.
Definition corner (X : matrix) : matrix := fun i j => of_nat (Z.to_nat (Qfloor (X i j * of_nat N))) * delta N.

(** What quantised matrices are: G+ with the sentinel above *)
Definition quantised (L : matrix) : Prop :=
  forall i j, (i < d)%nat -> (j < n)%nat -> L i j == sentinel_above \/ on_grid N (L i j).

(** The contextual mapping, on all of G: a key tells the column and the context up to the order of its columns. *)
Definition exact_key (L : matrix) (j : nat) : Q := id d N (run_all d n contextual_map L) j.
Definition exact_keys : Prop := forall L L', in_G d n N L -> in_G d n N L' ->
  forall j j', (j < n)%nat -> (j' < n)%nat ->
    (exact_key L j == exact_key L' j' <-> same_column d L j L' j' /\ permuted d n L L').
(** Different keys are C or more apart; below the border exactly without a sentinel. *)
Definition exact_apart : Prop := forall L L', in_G d n N L -> in_G d n N L' ->
  forall j j', (j < n)%nat -> (j' < n)%nat ->
    exact_key L j == exact_key L' j' \/ exact_key L j + of_nat C <= exact_key L' j' \/
    exact_key L' j' + of_nat C <= exact_key L j.
Definition exact_border : Prop := forall L, quantised L -> forall j, (j < n)%nat ->
  (in_G d n N L -> exact_key L j < border) /\ (~ in_G d n N L -> border <= exact_key L j).

(** After the quantiser, and in all *)
Definition exact_lookup : Prop := forall A, equivariant_on_G A -> forall L, quantised L ->
  (in_G d n N L -> forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (lookup A) L i j == A L i j) /\
  (~ in_G d n N L -> forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (lookup A) L i j == 0).
Definition exact_everywhere : Prop := forall A, equivariant_on_G A -> forall X,
  (in_cubes X -> forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (exact_network A) X i j == A (corner X) i j) /\
  (~ in_cubes X -> forall i j, (i < d)%nat -> (j < n)%nat -> run_all d n (exact_network A) X i j == 0).

(** The layers are of the paper's class: one head, or one hidden node with an admissible activation. *)
Definition exact_class : Prop := forall A l, In l (exact_network A) ->
  match l with Attend heads => length heads = 1%nat | Each t => admissible (phi t) end.
End Exact.

Definition Proposition4_exact : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  exact_lookup d n N /\ exact_everywhere d n N /\ exact_class d n N.
Definition Proposition4_contextual : Prop := forall d n N, (1 <= d)%nat -> (1 <= n)%nat -> (2 <= N)%nat ->
  exact_keys d n N /\ exact_apart d n N /\ exact_border d n N.
