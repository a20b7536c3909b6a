export const chapterMessages = {
  'chapters.not-evaluated':
    'It is not known yet how good generated chapters are in this archive. Choose “Evaluate” in Settings → Transcripts → Generated chapters.',
  'chapters.few-videos':
    'The evaluation found {count, plural, =0 {no videos} one {# video} other {# videos}} with chapters of the site and ten minutes of speech in the index. It needs {needed, number}. Archive more of them, wait until they are indexed, and evaluate again.',
  'chapters.inexact':
    'Generated chapters are not good enough in this archive: {found, number} % of chapter starts were found within 15 s, evenly spaced ones {even, number} %. They need {needed, number} %, and {more, number} more than evenly spaced ones. Evaluate again when there are more videos or better transcripts.',
  'chapters.evaluating': '{done, number} of {total, plural, one {# video} other {# videos}} compared.',
  'chapters.evaluated':
    '{videos, plural, one {# video} other {# videos}} compared: {found, number} % of chapter starts found within 15 s, evenly spaced ones {even, number} %.',
  'chapters.running': '{done, number} of {total, plural, one {# transcript} other {# transcripts}} read.',
  'chapters.done': 'Chapters generated for {count, plural, =0 {no videos} one {# video} other {# videos}}.',
  'chapters.failed': 'The transcript of the video cannot be read. Its chapters are tried again when it changes.',
} as const;
