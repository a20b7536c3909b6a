import type { Report } from '../task/task.ts';

/** Lets several downloads report side by side as one: their lines one after the other, their progress as the mean. */
export function lanes(report: (now: Report) => void) {
  const latest = new Map<number, Report>();
  const publish = () => {
    const all = [...latest.values()];
    if (all.length === 0) return;
    const known = all.flatMap(({ progress }) => progress ?? []);
    report({
      messages: all.flatMap(({ messages }) => messages),
      ...(known.length === all.length && { progress: known.reduce((sum, one) => sum + one, 0) / known.length }),
    });
  };
  return {
    reportOf: (lane: number) => (now: Report) => {
      latest.set(lane, now);
      publish();
    },
    end(lane: number) {
      latest.delete(lane);
      publish();
    },
  };
}
