"""A construction of somebody's own: no paper; a second reading, if any, is the reader's.

The certificate carries weights, cases and images. The layers are run again here, literally, on every case; all that a
certificate says of counts, shards and evidence must agree with itself and with these cases. What a claim means, and
whether its relations are all that it should look at, is the producer's word, or the reader's; that the layers are the
construction is always the producer's. So the check never ends with `in full`.
"""
