import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

// Debian's manual pages and their translations (`REELKEEP_BENCH_MAN`: another folder than /usr/share/man). Also for tests.

const root = process.env.REELKEEP_BENCH_MAN || '/usr/share/man';
const sections = ['man1', 'man5', 'man7', 'man8'];

/** Returns the pages of a language (empty: English) by their names. */
export function manualPages(lang: string): Map<string, string> {
  const pages = new Map<string, string>();
  for (const section of sections) {
    const folder = join(root, lang, section);
    let names: string[] = [];
    try {
      names = readdirSync(folder);
    } catch {
      // not installed
    }
    for (const name of names) if (name.endsWith('.gz')) pages.set(`${section}/${name}`, join(folder, name));
  }
  return pages;
}

/** Returns the paragraphs of a page of 15 to 120 words. */
export function pageTexts(path: string): string[] {
  let source: string;
  try {
    source = gunzipSync(readFileSync(path)).toString('utf8');
  } catch {
    return [];
  }
  const paragraphs: string[] = [];
  let some: string[] = [];
  const end = () => {
    const text = some.join(' ').replace(/\s+/g, ' ').trim();
    const words = text.split(' ').length;
    if (words >= 15 && words <= 120) paragraphs.push(text);
    some = [];
  };
  for (const line of source.split('\n')) {
    if (/^[.'](P|PP|LP|SH|SS|TP|IP|HP|RE|RS|nf|fi|sp|TH)\b/.test(line) || line === '') end();
    else if (/^[.'](B|I|BR|BI|IR|RB|RI|IB)\b/.test(line)) some.push(line.replace(/^..?.?\s*/, '').replaceAll('"', ''));
    else if (!/^[.']/.test(line)) some.push(line);
  }
  end();
  return paragraphs.map((text) =>
    text
      .replace(/\\f[A-Z]|\\f\(..|\\f\[[^\]]*\]|\\s[-+]?\d/g, '')
      .replace(/\\\(..|\\\[[^\]]*\]/g, ' ')
      .replace(/\\-/g, '-')
      .replace(/\\&|\\\//g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}
