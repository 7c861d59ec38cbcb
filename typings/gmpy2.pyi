"""gmpy2 ships no types; the package has those of what it uses."""

from verifier.core.rational import mpq as mpq
from verifier.core.rational import mpz as mpz
