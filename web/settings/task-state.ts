import { useQuery } from '@tanstack/react-query';
import { useNotices } from '#web/downloads/queries.ts';
import { runQuery } from '#web/runs/queries.ts';

const over = /^Task (completed|failed|stopped)/;

/** Whether a task of this group is going on. */
export const useIsRunning = (group: string) =>
  useNotices().some((notice) => notice.group === group && !over.test(notice.messages[0] ?? ''));

/** A run that was started here, until it is over and after; undefined until it is known. */
export const useStarted = (id: string) =>
  useQuery({ ...runQuery(id), refetchInterval: ({ state }) => (state.data?.ended ? false : 1000) }).data;
