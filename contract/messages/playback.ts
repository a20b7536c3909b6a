/** Why a browser plays a video as it does, and what helps. */
export const playbackMessages = {
  'playback.codec-in-container': 'This browser does not play {codec} in {name} files.',
  'playback.video': 'This browser does not play {codec} video.',
  'playback.size': 'This browser plays {codec} only up to a height of {most, number} pixels; the video has {height, number}.',
  'playback.audio': 'This browser does not play {codec} sound.',
  'playback.other-track': 'Browsers play only the first sound track of a file.',
  'playback.hdr': 'The video is HDR, but this screen is not: its colors may look pale.',
  'playback.file-failed': 'Playing the file failed in this browser.',
  'playback.repack-failed': 'Playing the repacked copy failed in this browser.',
  'playback.convert-failed': 'Playing the copy with converted sound failed in this browser.',
  'playback.small-failed': 'Playing the compatible copy failed in this browser.',
  'playback.small': 'A copy from the source plays instead: H.264, {height, number}p.',
  'playback.repacked': 'A copy in an {name} file plays instead; picture and sound are unchanged.',
  'playback.sound-converted': 'A copy with the sound as AAC plays instead; the picture is unchanged.',
  'playback.only-sound-converted': 'A copy with the sound as AAC plays instead.',
  'playback.nothing-left': 'Download the file and play it in another program, or use another browser.',
} as const;
