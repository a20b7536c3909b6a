import { useQuery } from '@tanstack/react-query';
import { useNotices } from '#web/api/queries/download.ts';
import { runQuery } from '#web/api/queries/run.ts';

export const finishedMessage = /^Task (completed|failed|stopped)/;

/** Whether a task of this group is running. */
export const useIsRunning = (group: string) =>
  useNotices().some((notice) => notice.group === group && !finishedMessage.test(notice.messages[0] ?? ''));

/** Polls a run until it has ended. Undefined until loaded. */
export const useStartedRun = (id: string) =>
  useQuery({ ...runQuery(id), refetchInterval: ({ state }) => (state.data?.ended ? false : 1000) }).data;
