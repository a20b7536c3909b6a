import { z } from 'zod';

/** A subtitle cue. Times in seconds; plain text, lines separated by line feeds. */
export interface Cue {
  start: number;
  end: number;
  text: string;
}

const maxCues = 50_000;

// The json3 format of YouTube: only the required fields, all validated.
const Json3 = z.object({
  events: z.array(
    z.object({
      tStartMs: z.number().catch(-1),
      dDurationMs: z.number().catch(0),
      segs: z.array(z.object({ utf8: z.string().catch('') })).catch([]),
    }),
  ),
});

// eslint-disable-next-line no-control-regex -- removes control characters and direction marks, which would affect the page
const unwanted = /[\u0000-\u0009\u000b-\u001f\u007f\u200b\u2060\ufeff]/g;
const normalizeLines = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(unwanted, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');

/** Sorts cues, removes invalid ones, and ends each at the latest where the next begins. */
function normalizeCues(cues: Cue[]): Cue[] {
  const good = cues.filter(
    ({ start, end, text }) => text !== '' && Number.isFinite(start) && Number.isFinite(end) && start >= 0 && end > start,
  );
  good.sort((a, b) => a.start - b.start);
  return good.slice(0, maxCues).flatMap((cue, index) => {
    const next = good[index + 1];
    const end = next && next.start > cue.start ? Math.min(cue.end, next.start) : cue.end;
    return end > cue.start ? [{ ...cue, end }] : [];
  });
}

/** Joins cues with the same start. */
function join(cues: Cue[]): Cue[] {
  const joined: Cue[] = [];
  for (const cue of cues) {
    const last = joined.at(-1);
    if (last && last.start === cue.start) {
      last.text = last.text === cue.text ? last.text : `${last.text}\n${cue.text}`;
      last.end = Math.max(last.end, cue.end);
    } else joined.push({ ...cue });
  }
  return joined;
}

/**
 * Parses json3.
 * @throws if it is invalid
 */
export function cuesOf(json3: string): Cue[] {
  const { events } = Json3.parse(JSON.parse(json3));
  const cues = events.map(({ tStartMs, dDurationMs, segs }) => ({
    start: tStartMs / 1000,
    end: (tStartMs + dDurationMs) / 1000,
    text: normalizeLines(segs.map((seg) => seg.utf8).join('')),
  }));
  return normalizeCues(join(cues.filter((cue) => cue.text !== '').sort((a, b) => a.start - b.start)));
}

const clock = (seconds: number) => {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  return `${part(Math.floor(ms / 3_600_000), 2)}:${part(Math.floor(ms / 60_000) % 60, 2)}:${part(Math.floor(ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
};

// Escapes characters of WebVTT tags and entities.
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Formats cues as WebVTT with the header that API clients expect. */
export function vttOf(cues: Cue[], lang: string): string {
  const blocks = cues.map(({ start, end, text }, index) => `${index + 1}\n${clock(start)} --> ${clock(end)}\n${escaped(text)}\n`);
  return `WEBVTT\nKind: captions\nLanguage: ${lang.replace(/[^-\w]/g, '')}\n\n${blocks.join('\n')}`;
}

/** Formats cues as SRT. */
export const srtOf = (cues: Cue[]): string =>
  cues
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${clock(start).replace('.', ',')} --> ${clock(end).replace('.', ',')}\n${text}\n`,
    )
    .join('\n');

const timing = /^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})\s+-->\s+(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})/;
// Computed in whole milliseconds, because sums of fractions drift.
const secondsOf = (hours: string, minutes: string, seconds: string, fraction: string) =>
  (((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'))) / 1000;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '', rlm: '', quot: '"', apos: "'" };

const plain = (text: string) =>
  normalizeLines(
    text
      .replace(/<\/?[a-z0-9.:][^<>]{0,200}>/gi, '')
      .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
        if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
        const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
        return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : '';
      }),
  );

/** Parses WebVTT or SRT. Notes, styles, regions and invalid cues are skipped. */
export function cuesOfVtt(vtt: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of vtt
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    if (at < 0 || /^(NOTE|STYLE|REGION)\b/.test(lines[0] ?? '')) continue;
    const found = timing.exec(lines[at]!);
    if (!found) continue;
    const [, h1 = '0', m1 = '0', s1 = '0', f1 = '0', h2 = '0', m2 = '0', s2 = '0', f2 = '0'] = found;
    cues.push({
      start: secondsOf(h1, m1, s1, f1),
      end: secondsOf(h2, m2, s2, f2),
      text: plain(lines.slice(at + 1).join('\n')),
    });
  }
  return normalizeCues(cues);
}
