import { clock } from '../../platform/lib/format-time.ts';
import type { NoteRow } from './store.ts';

// Markdown files for note-taking apps such as Obsidian. One way, and stable: unchanged notes give identical bytes.

/** Facts about the video of some notes; null: it was deleted. */
export interface NotedVideo {
  publishedAt: number;
  durationSeconds: number;
}

const maxNameBytes = 200;
const markdownExtension = '.md';

/** Cuts a text to a number of UTF-8 bytes, between two characters. */
function cutBytes(text: string, most: number): string {
  let [cut, bytes] = ['', 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    cut += character;
  }
  return cut;
}

/** Returns the name of the file of a video: without what links of Obsidian, and names of Windows, may not contain. */
export function fileName({ videoTitle, videoId }: Pick<NoteRow, 'videoTitle' | 'videoId'>): string {
  const clean = (text: string) =>
    text
      // oxlint-disable-next-line no-control-regex -- control characters are not allowed in names
      .replace(/[#^[\]|\\/:*?"<>\u0000-\u001f\u007f]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^\.+/, '');
  const end = ` (${clean(videoId)})${markdownExtension}`;
  return `${cutBytes(clean(videoTitle), maxNameBytes - Buffer.byteLength(end)).trim()}${end}`;
}

/** Writes a text as a YAML string: those of JSON are. */
const yaml = (text: string) => JSON.stringify(text);

const secondsOf = (ms: number) => Number((ms / 1000).toFixed(3));

/** Returns the time of a note as a link to it; the fragment is the media fragment (W3C) that other players read. */
function timeLink({ startMs, endMs, videoId }: NoteRow, archive: string): string {
  if (startMs === null) return '';
  const from = secondsOf(startMs);
  const range = endMs === null ? '' : `–${clock(endMs / 1000)}`;
  const fragment = endMs === null ? `${from}` : `${from},${secondsOf(endMs)}`;
  return `[${clock(startMs / 1000)}${range}](${archive}/video/${encodeURIComponent(videoId)}?t=${Math.floor(from)}#t=${fragment})`;
}

/** Indents the further lines of a text, so that they belong to its list item. */
const indented = (text: string) => text.trim().replace(/\r?\n/g, '\n  ');

function entry(note: NoteRow, archive: string): string {
  const block = `^rk-${note.number}`;
  const time = timeLink(note, archive);
  if (note.kind === 'highlight') {
    const quote = (note.quote ?? '').trim().split(/\r?\n/);
    const own = note.text.trim()
      ? [
          `>`,
          ...note.text
            .trim()
            .split(/\r?\n/)
            .map((line) => `> ${line}`),
        ]
      : [];
    return [`> [!quote] ${time}`.trimEnd(), ...quote.map((line) => `> ${line}`), ...own, '', block].join('\n');
  }
  const text = indented(note.text);
  return `- ${[time, text || (note.kind === 'bookmark' ? '🔖' : ''), block].filter(Boolean).join(' ')}`;
}

/** Returns a tag as Obsidian reads it: without spaces and most punctuation. */
const plainTag = (name: string) => name.replace(/[^\p{L}\p{N}\p{M}\p{So}_/-]+/gu, '-');

interface FileOptions {
  /** Address of the archive, without a slash at the end. */
  archive: string;
  /** Tags of the video; those of its notes are added. */
  tags: readonly string[];
}

/** Returns the Markdown file of the notes of one video. */
export function markdownOf(notes: readonly NoteRow[], video: NotedVideo | null, { archive, tags }: FileOptions): string {
  const { videoTitle, channelName, url, videoId } = notes.at(-1)!;
  const allTags = [...new Set([...tags, ...notes.flatMap((note) => note.tags)].map(plainTag))].toSorted();
  const properties = [
    `title: ${yaml(videoTitle)}`,
    `channel: ${yaml(channelName)}`,
    ...(url === null ? [] : [`url: ${yaml(url)}`]),
    ...(video ? [`published: ${new Date(video.publishedAt * 1000).toISOString().slice(0, 10)}`] : []),
    ...(video ? [`duration: ${yaml(clock(video.durationSeconds))}`] : []),
    ...(allTags.length > 0 ? [`tags: ${JSON.stringify(allTags)}`] : []),
    `source: ${yaml(`${archive}/video/${encodeURIComponent(videoId)}`)}`,
  ];
  return `---\n${properties.join('\n')}\n---\n\n${notes.map((note) => entry(note, archive)).join('\n')}\n`;
}
