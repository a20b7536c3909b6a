// What browsers play of HTTP Live Streaming with H.264 and AAC: Safari itself, others with Media Source Extensions and hls.js.

const type = 'video/mp4; codecs="avc1.640028,mp4a.40.2"';

interface MediaSources {
  ManagedMediaSource?: typeof MediaSource;
  MediaSource?: typeof MediaSource;
}

/** Whether the media element plays HLS itself and AirPlay needs it, as in Safari. Chromium plays it, too, but hls.js reports errors. */
export const playsHlsNatively = (): boolean =>
  'WebKitPlaybackTargetAvailabilityEvent' in window &&
  document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';

/** Whether this browser plays what the server encodes. */
export function playsHls(): boolean {
  const { ManagedMediaSource: managed, MediaSource: plain } = window as MediaSources;
  return playsHlsNatively() || ((managed ?? plain)?.isTypeSupported(type) ?? false);
}
