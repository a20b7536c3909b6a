"""Transcribes sound with a Whisper model in the format of CTranslate2.

Arguments: folder of the model, number of threads. Reads requests from stdin, one JSON object a line, and writes one a line to stdout:
  {"detect": "<file>"}                                    -> {"lang": "en", "probability": 0.98}, or {"lang": null} without speech
  {"transcribe": "<file>", "lang": "en", "is_last": true} -> {"consumed": 291.2, "memory": 420000000,
                                                              "segments": [{"start": 0.0, "end": 2.5, "text": "..."}]}
Files are raw sound: 16,000 samples per second, 16 bits, one channel. `consumed` is where the next slice begins: in a pause. `memory`:
bytes that this process has used at most.
"""

import json
import os
import resource
import sys
import types

# faster-whisper imports these to open media files and to download models. This process does neither.
for name in ("av", "huggingface_hub"):
    sys.modules[name] = types.ModuleType(name)
# Libraries print to stdout.
replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import numpy  # noqa: E402
from faster_whisper import WhisperModel  # noqa: E402
from faster_whisper.vad import VadOptions, get_speech_timestamps  # noqa: E402

RATE = 16_000
SHORTEST_SLICE = 60 * RATE
PAUSES = VadOptions(min_silence_duration_ms=500)
# Whisper invents text in noise: these bounds are those of its authors, the last one is faster than anybody speaks.
NO_SPEECH, LOG_PROBABILITY, COMPRESSION, CHARACTERS_PER_SECOND = 0.6, -1.0, 2.4, 30


def reply(message):
    replies.write(json.dumps(message) + "\n")
    replies.flush()


def read(path):
    return numpy.fromfile(path, dtype=numpy.int16).astype(numpy.float32) / 32_768


def is_invented(segment):
    if segment.no_speech_prob > NO_SPEECH and segment.avg_logprob < LOG_PROBABILITY:
        return True
    if segment.compression_ratio > COMPRESSION:
        return True
    return len(segment.text.strip()) > CHARACTERS_PER_SECOND * max(segment.end - segment.start, 0.1)


def last_pause(sound):
    """Returns the sample in the middle of the last pause after the shortest slice; the end without one."""
    speech = get_speech_timestamps(sound, PAUSES)
    for before, after in reversed(list(zip(speech, speech[1:]))):
        middle = (before["end"] + after["start"]) // 2
        if middle >= SHORTEST_SLICE:
            return middle
    return len(sound)


def detect(model, request):
    sound = read(request["detect"])
    if not get_speech_timestamps(sound, PAUSES):
        return {"lang": None}
    lang, probability, _ = model.detect_language(sound, vad_filter=True)
    return {"lang": lang, "probability": probability}


def transcribe(model, request):
    sound = read(request["transcribe"])
    end = len(sound) if request["is_last"] else last_pause(sound)
    segments, _ = model.transcribe(
        sound[:end],
        language=request["lang"],
        vad_filter=True,
        vad_parameters=PAUSES,
        condition_on_previous_text=False,
    )
    kept = [segment for segment in segments if not is_invented(segment)]
    return {
        "consumed": end / RATE,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "segments": [{"start": one.start, "end": one.end, "text": one.text.strip()} for one in kept],
    }


def main():
    folder, threads = sys.argv[1], int(sys.argv[2])
    try:
        model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    except Exception as problem:  # damaged, or of another format
        reply({"problem": str(problem)})
        sys.exit(1)
    reply({"is_english_only": not model.model.is_multilingual})
    for line in sys.stdin:
        request = json.loads(line)
        reply(detect(model, request) if "detect" in request else transcribe(model, request))


main()
