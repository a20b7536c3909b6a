export const meaningMessages = {
  'meaning.no-engine': 'The model {model} of the search by meaning is not installed. Install it in Settings → Transcripts.',
  'meaning.installing': 'Downloading the model {model}.',
  'meaning.trying': 'Trying the model {model}.',
  'meaning.installed': 'The model {model} of the search by meaning is installed.',
  'meaning.not-installed': 'The model {model} of the search by meaning could not be installed: {reason}',
  'meaning.no-previous': 'There is no earlier version of the model {model}.',
  'meaning.configured': 'REELKEEP_MODELS_PYTHON names the Python of the model. Update its packages there.',
  'meaning.no-package': 'The Python that REELKEEP_MODELS_PYTHON names has no {package} for the model {model}. Install it there.',
  'meaning.running': '{done, number} of {total, plural, one {# transcript} other {# transcripts}} read.',
  'meaning.relating': '{done, plural, one {# video} other {# videos}} compared.',
  'meaning.related': '{count, plural, one {# video} other {# videos}} compared with all others.',
  'meaning.done': '{count, plural, one {# transcript can} other {# transcripts can}} be searched by meaning.',
} as const;
