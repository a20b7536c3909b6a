"""Prints, as JSON, the test addresses of the extractors of yt-dlp in the modules that are named as arguments; with `--urls`, what
yt-dlp makes of the addresses in the JSON list on stdin. An address belongs to the first suitable extractor."""

import json
import os
import sys

# Lazy extractors have no tests.
os.environ['YTDLP_NO_LAZY_EXTRACTORS'] = '1'

from yt_dlp.extractor import gen_extractor_classes  # noqa: E402

extractors = list(gen_extractor_classes())


def first_suitable(url):
    return next((one for one in extractors if one.suitable(url)), None)


def described(url):
    extractor = first_suitable(url)
    return {
        'url': url,
        'extractor': extractor and extractor.ie_key(),
        'matched': extractor and extractor.get_temp_id(url),
    }


def cases(modules):
    for extractor in extractors:
        if extractor.__module__.rpartition('.')[2] not in modules:
            continue
        for test in extractor.get_testcases(include_onlymatching=True):
            info = test.get('info_dict') or {}
            yield {
                **described(test['url']),
                'id': info.get('id'),
                'isList': any(key.startswith('playlist') for key in test),
            }


print(json.dumps([described(url) for url in json.load(sys.stdin)] if sys.argv[1:] == ['--urls'] else list(cases(sys.argv[1:]))))
