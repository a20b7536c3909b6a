import type { MediaServerReport } from '#contract/media-server.ts';
import type { Message } from '#contract/messages.ts';
import { renderMessages } from '../../platform/messages/render.ts';

const maxLines = 500;

export type ReportBuilder = ReturnType<typeof createReport>;

/** Collects what a synchronization changes, or would change. */
export function createReport(isDryRun: boolean, started: number) {
  const report: MediaServerReport = {
    dry_run: isDryRun,
    started,
    ended: started,
    items: 0,
    matched: 0,
    here: 0,
    there: 0,
    playlists: 0,
    problems: 0,
    lines: [],
  };
  const counters = { here: 'here', there: 'there', playlist: 'playlists', problem: 'problems' } as const;
  return {
    report,
    countItems(items: number, matched: number) {
      report.items += items;
      report.matched += matched;
    },
    add(kind: keyof typeof counters, person: string | null, title: string, text: Message | Message[]) {
      report[counters[kind]]++;
      if (report.lines.length < maxLines)
        report.lines.push({ kind, person, title, text: renderMessages(text), text_messages: [text].flat() });
    },
  };
}
