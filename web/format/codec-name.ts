// Common names by the names that ffprobe and yt-dlp report.
const codecs: Record<string, string> = {
  h264: 'H.264',
  avc1: 'H.264',
  hevc: 'H.265',
  hvc1: 'H.265',
  av1: 'AV1',
  av01: 'AV1',
  vp9: 'VP9',
  vp09: 'VP9',
  vp8: 'VP8',
};
/** Common name of a codec: `H.264`. */
export const codecName = (codec: string) => codecs[codec.split('.')[0]!.toLowerCase()] ?? codec;
