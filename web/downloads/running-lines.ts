import type { Said } from '#contract/said.ts';
import type { Notification } from '#contract/task.ts';

/** What a download says of itself: the line that follows its title in the notice of the run; undefined when it says nothing. */
export function runningLine(notices: Notification[], title: string): { line: string; said: Said } | undefined {
  for (const { group, messages, said } of notices) {
    if (group !== 'download:run') continue;
    const at = messages.indexOf(title);
    const line = messages[at + 1];
    if (at !== -1 && line !== undefined) return { line, said: said?.[at + 1] ?? null };
  }
  return undefined;
}

/** How much of it is there, 0 to 1, of a line like `12.5% of 100.00MiB`; undefined when it does not say. */
export function shareOf(line: string | undefined): number | undefined {
  const percent = /^([\d.]+)% of/.exec(line ?? '')?.[1];
  return percent === undefined ? undefined : Math.min(1, Number(percent) / 100);
}
