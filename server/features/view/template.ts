import { message, type Message } from '#contract/messages.ts';
import { byteLength, maxNameBytes, safeFolderName, safeName, safePart, truncateBytes, truncateCharacters } from './safe-name.ts';

// Templates of paths: `{channel}/Season {season}/{title:80} [{id}]`. A slash separates folders. The extension is added.
//   {title}                   a field
//   {title:80}                at most 80 characters
//   {episode:3}               at least three digits
//   {published:yyyy-MM-dd}    parts of a date
//   {playlist|channel|"None"} the first that has a value

/** Values of a template for one video. Empty texts and null have no value. */
export interface TemplateValues {
  title: string;
  id: string;
  channel: string;
  channel_id: string;
  playlist: string | null;
  playlist_id: string | null;
  kind: string;
  site: string;
  season: number;
  episode: number;
  position: number | null;
  height: number | null;
  /** Epoch seconds. */
  published: number;
  downloaded: number;
}
type Field = keyof TemplateValues;

const fieldTypes: Record<Field, 'text' | 'number' | 'date'> = {
  title: 'text',
  id: 'text',
  channel: 'text',
  channel_id: 'text',
  playlist: 'text',
  playlist_id: 'text',
  kind: 'text',
  site: 'text',
  season: 'number',
  episode: 'number',
  position: 'number',
  height: 'number',
  published: 'date',
  downloaded: 'date',
};
export const templateFields = Object.keys(fieldTypes) as Field[];
const playlistFields: Field[] = ['playlist', 'playlist_id', 'position'];

type Choice = { field: Field; format: string | null } | { literal: string };
type Token = string | Choice[];

export interface Template {
  /** Folders, then the name of the file without its extension. */
  parts: Token[][];
  /** It has one file for each playlist of a video. */
  usesPlaylists: boolean;
  /** Videos without a playlist have a file, too. */
  worksWithoutPlaylist: boolean;
  usesEpisode: boolean;
  /** Whether the first folder is that of a channel or a playlist. */
  show: 'channel' | 'playlist' | null;
  /** Whether the second folder is that of a season. */
  hasSeasons: boolean;
}

const maxDepth = 6;
const maxLiteralBytes = 80;
// Sidecar files add up to `.zh-Hans-….srt` to the name of the video, a copy in progress `.part`, and equal names ` (2)`.
const maxBaseBytes = maxNameBytes - 55;

const dateParts: Record<string, (iso: string) => string> = {
  yyyy: (iso) => iso.slice(0, 4),
  yy: (iso) => iso.slice(2, 4),
  MM: (iso) => iso.slice(5, 7),
  dd: (iso) => iso.slice(8, 10),
  HH: (iso) => iso.slice(11, 13),
  mm: (iso) => iso.slice(14, 16),
  ss: (iso) => iso.slice(17, 19),
};
const datePattern = /yyyy|yy|MM|dd|HH|mm|ss/g;
const defaultDate = 'yyyy-MM-dd';

function parseChoice(text: string): Choice | Message {
  const quoted = /^"([^"]*)"$/.exec(text);
  if (quoted) return { literal: quoted[1]! };
  const [, name = '', format = null] = /^([a-z_]+)(?::(.+))?$/.exec(text) ?? [];
  if (!(name in fieldTypes)) return message('view.template-field', { field: text, fields: templateFields.join(', ') });
  const field = name as Field;
  const isValid =
    format === null ||
    (fieldTypes[field] === 'date'
      ? /[a-zA-Z]/.test(format) && !/[a-zA-Z]/.test(format.replace(datePattern, ''))
      : /^[1-9]\d{0,2}$/.test(format) && (fieldTypes[field] === 'text' || Number(format) <= 9) && field !== 'id');
  return isValid ? { field, format } : message('view.template-format', { field: text });
}

function parsePart(text: string): Token[] | Message {
  const tokens: Token[] = [];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      if (/[{}]/.test(piece)) return message('view.template-braces');
      tokens.push(piece);
      continue;
    }
    const choices = piece.slice(1, -1).split('|').map(parseChoice);
    const problem = choices.find((choice): choice is Message => 'id' in choice);
    if (problem) return problem;
    tokens.push(choices as Choice[]);
  }
  const literals = tokens.filter((token) => typeof token === 'string').join('');
  if (byteLength(literals) > maxLiteralBytes) return message('view.template-long', { count: maxLiteralBytes });
  return tokens;
}

const choicesIn = (parts: Token[][]) => parts.flat().filter((token): token is Choice[] => typeof token !== 'string');
const fieldsOf = (choices: Choice[]) => choices.flatMap((choice) => ('field' in choice ? [choice.field] : []));

/** Parses a template. Returns a message if it is invalid. */
export function parseTemplate(text: string): Template | Message {
  const parts = text
    .trim()
    .replace(/\.\{ext\}$/, '')
    .split('/');
  if (text.includes('\\')) return message('view.template-separator');
  if (parts.some((part) => /^[\s.]*$/.test(part))) return message('view.template-empty');
  if (parts.length > maxDepth) return message('view.template-deep', { count: maxDepth });
  const parsed = parts.map(parsePart);
  const problem = parsed.find((part): part is Message => !Array.isArray(part));
  if (problem) return problem;
  const all = parsed as Token[][];
  const isId = (token: Token) => typeof token !== 'string' && 'field' in token[0]! && token[0].field === 'id';
  if (!all.at(-1)!.some(isId)) return message('view.template-id', { braces: '{id}' });
  const choices = choicesIn(all);
  const used = new Set(choices.flatMap(fieldsOf));
  const first = choicesIn(all.slice(0, 1)).flatMap(fieldsOf);
  const second = all[1] ?? [];
  const ofPlaylists = choices.filter((one) => fieldsOf(one).some((field) => playlistFields.includes(field)));
  const show = first.some((field) => field === 'playlist' || field === 'playlist_id')
    ? 'playlist'
    : first.some((field) => field === 'channel' || field === 'channel_id')
      ? 'channel'
      : null;
  return {
    parts: all,
    usesPlaylists: ofPlaylists.length > 0,
    worksWithoutPlaylist: ofPlaylists.every((one) =>
      one.some((choice) => 'literal' in choice || !playlistFields.includes(choice.field)),
    ),
    usesEpisode: used.has('episode'),
    show: all.length > 1 ? show : null,
    hasSeasons:
      all.length > 2 &&
      show !== null &&
      (choicesIn([second]).flatMap(fieldsOf).includes('season') || second.some((token) => /^season\b/i.test(String(token)))),
  };
}

export const isTemplate = (parsed: Template | Message): parsed is Template => 'parts' in parsed;

function valueOf(choice: Choice, values: TemplateValues): string {
  if ('literal' in choice) return safePart(choice.literal);
  const { field, format } = choice;
  const value = values[field];
  if (value === null || value === '') return '';
  if (fieldTypes[field] === 'date') {
    const iso = new Date((value as number) * 1000).toISOString();
    return safePart((format ?? defaultDate).replace(datePattern, (part) => dateParts[part]!(iso)));
  }
  if (fieldTypes[field] === 'number') return String(value).padStart(Number(format ?? 1), '0');
  const text = safePart(String(value));
  return format === null ? text : truncateCharacters(text, Number(format));
}

/** Renders one name of at most `limit` bytes. The longest values are shortened first, the id never. `clean` completes the name. */
function renderPart(tokens: Token[], values: TemplateValues, limit: number, clean: typeof safeName): string {
  const pieces = tokens.map((token) => {
    if (typeof token === 'string') return { text: token, isFixed: true };
    for (const choice of token) {
      const text = valueOf(choice, values);
      if (text !== '') return { text, isFixed: 'field' in choice && choice.field === 'id' };
    }
    return { text: '', isFixed: true };
  });
  const lengthOf = () => byteLength(clean(pieces.map(({ text }) => text).join('')));
  for (let excess = lengthOf() - limit; excess > 0; excess = lengthOf() - limit) {
    const longest = pieces
      .filter(({ isFixed, text }) => !isFixed && text !== '')
      .sort((a, b) => byteLength(b.text) - byteLength(a.text))[0];
    if (!longest) break;
    const next = truncateBytes(longest.text, Math.max(0, byteLength(longest.text) - excess));
    longest.text = next === longest.text ? '' : next;
  }
  const name = clean(pieces.map(({ text }) => text).join(''));
  // Literals and ids alone may be too long only for sites with very long ids.
  return byteLength(name) > limit ? clean(truncateBytes(name, limit)) : name;
}

/** Renders the path of a file without its extension, as names of folders and the name of the file. */
export const renderTemplate = ({ parts }: Template, values: TemplateValues): string[] =>
  parts.map((part, index) =>
    index === parts.length - 1
      ? renderPart(part, values, maxBaseBytes, safeName)
      : renderPart(part, values, maxNameBytes, safeFolderName),
  );
