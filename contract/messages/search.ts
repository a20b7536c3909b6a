export const searchMessages = {
  'search.comments-off': 'Comments are not searched. An administrator can change that in Settings → Downloads.',
  'search.screen-off': 'Text on screen is not indexed.',
  'search.indexing': 'Some videos are still being indexed, so matches in them may be missing.',
  'search.meaning-nothing': 'Nothing similar enough was said.',
  'search.meaning-late': 'The model of the search by meaning did not answer, so only words were searched. Try again in a moment.',
  'search.meaning-progress': 'Meaning index: {percent, number} % done.',
  'search.meaning-full': 'The search by meaning covers the newest videos only, because its index is full.',
  'search.meaning-languages':
    'The search by meaning does not understand the transcripts of {count, plural, one {# video} other {# videos}} ({languages}).',
  'search.meaning-model': 'The model {model} understands them: choose it in Settings → Transcripts.',
} as const;
