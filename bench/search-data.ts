import { DatabaseSync } from 'node:sqlite';

// A library that is made up, the same every time: words by frequency as in speech (Zipf), in several scripts.

/** Numbers between 0 and 1 that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const alphabets = {
  latin: 'ba ce di fo gu la me ni po ru sa te vi zo ka lé mü ñi øp tr'.split(' '),
  cyrillic: 'ба вё ги до жу за ке ли мо ну пы ря се ти'.split(' '),
  arabic: 'با تي جو حم دس را سل عم فا كت'.split(' '),
} as const;
type Script = keyof typeof alphabets | 'han';
const scripts: Script[] = ['latin', 'latin', 'latin', 'latin', 'latin', 'latin', 'latin', 'cyrillic', 'arabic', 'han'];

const wordCount = 200_000;

/** The word of a place in the order of frequency: the most frequent are short, as in every language. */
export function wordAt(place: number, script: Script): string {
  if (script === 'han')
    return String.fromCodePoint(0x4e00 + (place % 3000)) + String.fromCodePoint(0x4e00 + ((place * 7919) % 5000));
  const syllables = alphabets[script];
  let rest = place + 1;
  let word = '';
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  } while (rest > 0);
  return word;
}

/** Speaks: a word at a time, as often as it is used. */
function speaker(seed: number) {
  const next = numbers(seed);
  // A hundred words are three fifths of what is said, and ten thousand nearly nine tenths.
  const place = () => Math.floor(Math.exp(next() ** 2 * Math.log(wordCount))) - 1;
  return (script: Script, count: number) => {
    let text = '';
    for (let word = 0; word < count; word++) text += `${word > 0 && script !== 'han' ? ' ' : ''}${wordAt(place(), script)}`;
    return text;
  };
}

export interface Size {
  channels: number;
  playlists: number;
  videos: number;
  lines: number;
}

/** The rows of a made-up library, table by table, in the order in which they may be written. */
export function* rowsOf({ channels, playlists, videos, lines }: Size): Generator<{ table: string; row: (string | number)[] }> {
  const speak = speaker(1);
  const pad = (number: number, letter: string) => `${letter}${String(number).padStart(10, '0')}`;
  for (let n = 0; n < channels; n++) {
    const name = speak(scripts[n % 10]!, 2);
    yield { table: 'channel', row: [pad(n, 'C'), 'bench', pad(n, 'C'), name, name, speak(scripts[n % 10]!, 40), 0, 0] };
  }
  for (let n = 0; n < playlists; n++) {
    const name = speak(scripts[n % 10]!, 3);
    yield { table: 'playlist', row: [pad(n, 'P'), 'regular', name, name, speak('latin', 20), 0] };
  }
  const each = Math.floor(lines / videos);
  for (let n = 0; n < videos; n++) {
    const script = scripts[n % 10]!;
    const id = pad(n, 'v');
    const title = speak(script, 7);
    const tags = JSON.stringify(Array.from({ length: 5 }, () => speak(script, 1)));
    const published = 1_500_000_000 + n * 1000;
    yield {
      table: 'video',
      row: [
        id,
        'bench',
        id,
        pad(n % channels, 'C'),
        title,
        title,
        ['videos', 'streams', 'shorts'][n % 3]!,
        published,
        published,
        0,
        60 + (n % 3600),
        1,
        'x',
        `${id}.mp4`,
        tags,
      ],
    };
    yield { table: 'subtitle', row: [id, 'en', n % 2 === 0 ? 'auto' : 'user', 'English', `${id}.en.vtt`] };
    for (let position = 0; position < each; position++)
      yield { table: 'line', row: [id, 'en', position, position * 2, position * 2 + 2, speak(script, script === 'han' ? 6 : 9)] };
  }
}

export const columnsOf: Record<string, string> = {
  channel: 'id, site, site_id, name, sort_name, description, added_at, refreshed_at',
  playlist: 'id, kind, name, sort_name, description, refreshed_at',
  video:
    'id, site, site_id, channel_id, title, sort_title, kind, published_at, downloaded_at, refreshed_at, duration_seconds, size_bytes, sha256, media_path, tags',
  subtitle: 'video_id, lang, source, name, path',
  line: 'video_id, lang, position, start_seconds, end_seconds, text',
};

/** Writes a made-up library into a database that has its tables. */
export function fillSqlite(path: string, size: Size): void {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode=wal; pragma synchronous=off; pragma cache_size=-64000;');
  const statements = new Map(
    Object.entries(columnsOf).map(([table, columns]) => [
      table,
      database.prepare(`insert into ${table} (${columns}) values (${columns.replace(/[^,]+/g, '?')})`),
    ]),
  );
  let count = 0;
  database.exec('begin');
  for (const { table, row } of rowsOf(size)) {
    statements.get(table)!.run(...row);
    if (++count % 200_000 === 0) database.exec('commit; begin');
  }
  database.exec('commit');
  database.close();
}
