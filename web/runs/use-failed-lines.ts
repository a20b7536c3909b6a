import { useEffect, useMemo, useRef, useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import type { Run } from '#contract/runs.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { runQuery } from '#web/api/queries/run.ts';

export interface FailedLine {
  line: string;
  reason: string;
}

/**
 * Follows tasks that process lines of text. When all have ended, `onFailed` gets the lines that failed, to put them back
 * into the form; they are returned with their reasons until other tasks are followed. Failed items that are in the queue
 * do not count.
 */
export function useFailedLines(onFailed: (lines: string[]) => void) {
  const [followed, setFollowed] = useState<{ ids: string[]; lines: string[] }>({ ids: [], lines: [] });
  const runs = useQueries({
    queries: followed.ids.map((id) => ({
      ...runQuery(id),
      refetchInterval: ({ state }: { state: { data?: Run | undefined } }) => (state.data?.ended ? (false as const) : 1000),
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const failed = useMemo((): FailedLine[] => {
    if (!runs.every((run) => run?.ended)) return [];
    const problems = runs.flatMap((run) => run?.notes ?? []).filter(({ kind, place }) => kind === 'problem' && place === null);
    return followed.lines.flatMap((line) => {
      const note = problems.find(({ what }) => line === what || line.split(/\s+/).includes(what) || isTruncated(what, line));
      return note ? [{ line, reason: messageText(note.why_messages, note.why ?? '') }] : [];
    });
  }, [followed, runs]);
  const restored = useRef(followed);
  useEffect(() => {
    if (failed.length === 0 || restored.current === followed) return;
    restored.current = followed;
    onFailed(failed.map(({ line }) => line));
  }, [followed, failed, onFailed]);
  return { failed, follow: (ids: string[], lines: string[]) => setFollowed({ ids, lines }) };
}

const isTruncated = (what: string, line: string) => what.endsWith('…') && line.startsWith(what.slice(0, -1));

/** Splits a text into trimmed, non-empty lines. */
export const splitLines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);
