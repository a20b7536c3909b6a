/** Text with its start and end, seconds. */
export interface TranscriptCue {
  start: number;
  end: number;
  text: string;
}

const timing = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}[.,]\d{1,3})\s+-->\s+(?:(\d+):)?(\d{1,2}):(\d{1,2}[.,]\d{1,3})/;
const seconds = (hours = '0', minutes = '0', rest = '0') =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'));
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', apos: "'", lrm: '', rlm: '' };

const plain = (text: string) =>
  text
    .replace(/<\/?[a-z0-9.:][^<>]*>/gi, '')
    .replace(/&([a-z]+);/gi, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();

/** Parses WebVTT. Text that repeats because captions roll is returned once. */
export function parseVtt(vtt: string): TranscriptCue[] {
  const lines: TranscriptCue[] = [];
  for (const block of vtt.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    const rows = block.split('\n');
    const at = rows.findIndex((row) => row.includes('-->'));
    const found = at < 0 ? null : timing.exec(rows[at]!.trim());
    if (!found) continue;
    const [, h1, m1, s1, h2, m2, s2] = found;
    const text = plain(rows.slice(at + 1).join(' '));
    const last = lines.at(-1);
    if (text === '' || (last && last.text === text)) continue;
    lines.push({ start: seconds(h1, m1, s1), end: seconds(h2, m2, s2), text });
  }
  return lines;
}

const clock = (at: number) => {
  const ms = Math.round(at * 1000);
  const part = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${part(Math.floor(ms / 3_600_000))}:${part(Math.floor(ms / 60_000) % 60)}:${part(Math.floor(ms / 1000) % 60)},${part(ms % 1000, 3)}`;
};

/** Formats lines as SubRip (SRT). */
export const formatSrt = (lines: TranscriptCue[]) =>
  lines.map(({ start, end, text }, index) => `${index + 1}\n${clock(start)} --> ${clock(end)}\n${text}\n`).join('\n');

export const formatText = (lines: TranscriptCue[]) => `${lines.map(({ text }) => text).join('\n')}\n`;

/** Returns the index of the last line that has started; −1 before the first. */
export function lineIndexAt(lines: TranscriptCue[], second: number): number {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (lines[middle]!.start <= second) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
