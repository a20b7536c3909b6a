import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const wordsOfPassage = 75;

function textOf(path: string): string {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  if (!/\.html?(\.gz)?$/.test(path)) return text;
  return text
    .replace(/<(script|style|pre|nav|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' ');
}

/** Whether these are sentences, and not code, tables or lists of names. */
const isProse = (words: string[]) =>
  words.filter((word) => /^\p{L}[\p{L}'’-]*[,.;:?!)]?$/u.test(word)).length > 0.85 * words.length;

/** Returns different passages of 75 words from the HTML and plain texts in a folder, also compressed ones. */
export function* passagesOf(folder: string): Generator<string> {
  const seen = new Set<string>();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names) {
    if (!/\.(html?|txt|rst)(\.gz)?$/.test(name)) continue;
    let words: string[];
    try {
      words = textOf(join(folder, name)).split(/\s+/).filter(Boolean);
    } catch {
      continue; // a folder, or a link to nowhere
    }
    for (let from = 0; from + wordsOfPassage <= words.length; from += wordsOfPassage) {
      const some = words.slice(from, from + wordsOfPassage);
      const text = some.join(' ');
      if (!isProse(some) || seen.has(text)) continue;
      seen.add(text);
      yield text;
    }
  }
}
