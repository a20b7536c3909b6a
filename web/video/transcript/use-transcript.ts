import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, sendRequest } from '#web/api/call.ts';
import { mediaElement } from '#web/player/state/player-store.ts';
import { lineIndexAt, parseVtt, type TranscriptCue } from './vtt.ts';

/** Transcript of a video in one language. */
export const useTranscriptLines = (address: string) =>
  useQuery({
    queryKey: ['video', 'lines', address],
    queryFn: async ({ signal }) => {
      const response = await sendRequest(addressOf(address), { signal });
      return parseVtt(await response.text());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Index of the current line during playback. */
export function useCurrentLine(lines: TranscriptCue[]): number {
  const [line, setLine] = useState(-1);
  useEffect(() => {
    const update = () => setLine(lineIndexAt(lines, mediaElement()?.currentTime ?? 0));
    // The media element may be created later.
    const timer = setInterval(update, 200);
    return () => clearInterval(timer);
  }, [lines]);
  return line;
}
