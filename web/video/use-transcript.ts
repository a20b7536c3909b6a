import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, ask } from '#web/api/call.ts';
import { mediaElement } from '#web/player/stage.ts';
import { lineAt, linesOfVtt, type SpokenLine } from './vtt.ts';

/** What is said in a video in one language. */
export const useLines = (address: string) =>
  useQuery({
    queryKey: ['video', 'lines', address],
    queryFn: async ({ signal }) => {
      const answer = await ask(addressOf(address), { signal });
      return linesOfVtt(await answer.text());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The line that is said just now, while a video plays. */
export function useLineNow(lines: SpokenLine[]): number {
  const [line, setLine] = useState(-1);
  useEffect(() => {
    const look = () => setLine(lineAt(lines, mediaElement()?.currentTime ?? 0));
    // The element may come later than this.
    const timer = setInterval(look, 200);
    return () => clearInterval(timer);
  }, [lines]);
  return line;
}
