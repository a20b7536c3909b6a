import type { Playback } from '#contract/playback.ts';
import type { Video } from '#contract/video.ts';
import { addressOf } from '#web/api/call.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { requestPlayback } from '../compatibility/request-playback.ts';
import type * as source from './audio-source.ts';

/** What is handed over, because `audio-source.ts` loads this file. */
type Source = Pick<typeof source, 'audioSource' | 'delay' | 'originalFile' | 'pollMs' | 'switchSource'>;

/** Plays a file that this browser does not play, or not with this track, as the server says. The current source plays until then. */
export async function playAsServerSays(
  element: HTMLVideoElement,
  video: Video,
  track: number | undefined,
  signal: AbortSignal,
  { audioSource, delay, originalFile, pollMs, switchSource }: Source,
): Promise<void> {
  try {
    for (;;) {
      const playback = await requestPlayback(video, {
        failed: audioSource.get().failed!,
        isRefused: audioSource.get().isRefused,
        height: audioSource.get().height,
        track,
        signal,
      });
      if (signal.aborted) return;
      const { method, media_url: renditionUrl, reasons, reason_messages: messages } = playback;
      const isPreparing = method !== 'none' && renditionUrl === null;
      audioSource.set({ playback, isPreparing });
      if (method === 'direct') return switchSource(element, video, originalFile);
      if (method === 'hls' && renditionUrl !== null) {
        const { attachHls, switchSound } = await import('./attach-hls.ts');
        if (signal.aborted) return;
        if (switchSound(element, addressOf(renditionUrl))) return audioSource.set({ renditionUrl });
        const attach = (address: string, at: number) => attachHls(element, address, at, audioSource);
        return switchSource(element, video, { renditionUrl, isAudioOnly: false }, attach);
      }
      if (renditionUrl !== null) return switchSource(element, video, { renditionUrl, isAudioOnly: false });
      if (method === 'none') {
        // After a conversion that failed there is no source: the error of the file itself has the remedies.
        if (element.networkState === element.NETWORK_EMPTY) return switchSource(element, video, originalFile);
        // A file that plays without its sound is not interrupted.
        return element.error ? undefined : audioSource.set({ error: messageText(messages, reasons.join(' ')) });
      }
      await delay(pollMs, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    const { message } = error as Error;
    const text = { id: 'text', params: { text: message } } as const;
    const reasons = { reasons: [message], reason_messages: [text] };
    const playback: Playback = { method: 'none', media_url: null, ...reasons, height: null, heights: [] };
    audioSource.set({ isPreparing: false, playback, ...(!element.error && { error: message }) });
  }
}
