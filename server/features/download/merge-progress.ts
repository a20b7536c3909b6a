import type { Report } from '../../platform/context/task.ts';

/** Merges the reports of parallel downloads into one: messages are concatenated, progress is averaged. Without downloads it is empty. */
export function mergeProgress(report: (now: Report) => void) {
  const latest = new Map<number | string, Report>();
  const publish = () => {
    const all = [...latest.values()];
    const known = all.flatMap(({ progress }) => progress ?? []);
    report({
      messages: all.flatMap(({ messages }) => messages),
      downloads: all.flatMap(({ downloads = [] }) => downloads),
      ...(known.length > 0 &&
        known.length === all.length && { progress: known.reduce((sum, one) => sum + one, 0) / known.length }),
    });
  };
  return {
    reportOf: (slot: number | string) => (now: Report) => {
      latest.set(slot, now);
      publish();
    },
    end(slot: number | string) {
      if (latest.delete(slot)) publish();
    },
  };
}
