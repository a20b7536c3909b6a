export const searchMessages = {
  'search.comments-off': 'Comments are not searched. An administrator can change that in Settings → Downloads.',
  'search.screen-off': 'Text on screen is not indexed.',
  'search.indexing': 'Some videos are still being indexed, so matches in them may be missing.',
} as const;
