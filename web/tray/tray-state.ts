import { asRecord, getStored, parseStored, setStored, useLocalStorage } from '#web/ui/use-local-storage.ts';

// What this browser has seen of tasks and failed downloads.

const key = 'reelkeep.tray';
/** How long finished work is shown, in seconds. */
const recentSeconds = 3600;

export interface TrayState {
  /** When a task last started or ended, epoch seconds. */
  activeAt: number;
  /** When the user last closed or dismissed the tray, epoch seconds. */
  seenAt: number;
  /** When the user last cleared the finished work, epoch seconds. */
  clearedAt: number;
  /** Number of failed downloads that were seen, and the ids of the first ones. */
  failedTotal: number;
  failedIds: string[];
}

const numberOr0 = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const parseState = (value: unknown): TrayState => {
  const { activeAt, seenAt, clearedAt, failedTotal, failedIds } = asRecord(value);
  return {
    activeAt: numberOr0(activeAt),
    seenAt: numberOr0(seenAt),
    clearedAt: numberOr0(clearedAt),
    failedTotal: numberOr0(failedTotal),
    failedIds: Array.isArray(failedIds) ? failedIds.filter((id) => typeof id === 'string') : [],
  };
};

/** The current time, epoch seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1000);

export const useTrayState = (): TrayState => parseStored(useLocalStorage(key)[0], parseState);

export const updateTrayState = (change: Partial<TrayState>) =>
  setStored(key, JSON.stringify({ ...parseStored(getStored(key), parseState), ...change }));

const openedAt = nowSeconds();
/** Whether something ended in the last hour or since the page was opened. */
export const isRecent = (at: number) => at >= Math.min(openedAt, nowSeconds() - recentSeconds);

/** Number of failed downloads that the user has not seen. `items`: the first page of them. */
export const countUnseenFailures = (
  { failedTotal, failedIds }: TrayState,
  items: readonly { youtube_id: string }[],
  total: number,
): number => Math.max(items.filter(({ youtube_id: id }) => !failedIds.includes(id)).length, total - failedTotal, 0);
