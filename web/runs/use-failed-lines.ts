import { useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { messageText } from '#web/i18n/message-text.ts';
import { runQuery } from '#web/api/queries/run.ts';

export interface FailedLine {
  line: string;
  reason: string;
}

/**
 * Follows a task that processes lines of text. When it has ended, `onFailed` gets the lines that failed, to put them back
 * into the form; they are returned with their reasons until the next task is followed. Failed items that are in the queue
 * do not count.
 */
export function useFailedLines(onFailed: (lines: string[]) => void) {
  const [task, setTask] = useState<{ id: string; lines: string[] } | null>(null);
  const { data: run } = useQuery({
    ...runQuery(task?.id ?? ''),
    enabled: task !== null,
    refetchInterval: ({ state }) => (state.data?.ended ? false : 1000),
  });
  const failed = useMemo((): FailedLine[] => {
    if (!task || run?.id !== task.id || !run.ended) return [];
    const problems = run.notes.filter(({ kind, place }) => kind === 'problem' && place === null);
    return task.lines.flatMap((line) => {
      const note = problems.find(({ what }) => line === what || line.split(/\s+/).includes(what) || isTruncated(what, line));
      return note ? [{ line, reason: messageText(note.why_messages, note.why ?? '') }] : [];
    });
  }, [task, run]);
  const restoredTaskId = useRef<string | null>(null);
  useEffect(() => {
    if (!task || failed.length === 0 || restoredTaskId.current === task.id) return;
    restoredTaskId.current = task.id;
    onFailed(failed.map(({ line }) => line));
  }, [task, failed, onFailed]);
  return {
    failed,
    follow: (id: string | undefined, lines: string[]) => setTask(id ? { id, lines } : null),
  };
}

const isTruncated = (what: string, line: string) => what.endsWith('…') && line.startsWith(what.slice(0, -1));

/** Splits a text into trimmed, non-empty lines. */
export const splitLines = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);
