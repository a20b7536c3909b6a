import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { manualPages, pageTexts } from '../../../bench/manual-pages.ts';
import { cutPassages, type PassageLine } from '../meaning/cut-passages.ts';
import { startEmbedder, type Embedder } from '../meaning/embedder.ts';
import { vectorOf } from '../meaning/model.ts';
import { tokenize } from '../search/text/tokenizer.ts';
import { findBoundaries } from './find-boundaries.ts';
import { scoreBoundaries, type ComparedStarts } from './score-boundaries.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python, REELKEEP_TEST_MANUAL_PAGES: pages } = process.env;

const talks = 15;
const wordsPerSecond = 150 / 60;
const wordsPerLine = 8;

/** A talk about several subjects: each part is read from another manual page, for three to eight minutes. */
interface Talk {
  lines: PassageLine[];
  starts: number[];
  seconds: number;
}

function joinPages(): Talk[] {
  let seed = 1004;
  const random = (limit: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  // One page of each program: the pages of its commands are about the same.
  const programs = Map.groupBy(
    [...manualPages('')].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ([name]) => name.split('/')[1]!.split(/[-_.:]/)[0],
  );
  const texts = [...programs.values()]
    .map(([page]) => pageTexts(page![1]).map((text) => text.split(' ')))
    .filter((paragraphs) => paragraphs.flat().length >= 600);
  return Array.from({ length: talks }, () => {
    const talk: Talk = { lines: [], starts: [], seconds: 0 };
    for (let parts = 3 + random(6); parts > 0; parts--) {
      talk.starts.push(talk.seconds);
      let left = 450 + random(750);
      for (const words of texts[random(texts.length)]!) {
        if (left <= 0) break;
        left -= words.length;
        for (let from = 0; from < words.length; from += wordsPerLine) {
          const some = words.slice(from, from + wordsPerLine);
          const startSeconds = talk.seconds;
          talk.seconds += some.length / wordsPerSecond;
          talk.lines.push({ startSeconds, endSeconds: talk.seconds, text: some.join(' ') });
        }
        // The same short pause after each paragraph.
        talk.seconds += 0.4;
      }
    }
    return talk;
  });
}

async function compare(embedder: Embedder, { lines, starts, seconds }: Talk): Promise<ComparedStarts> {
  const passages = cutPassages(lines);
  const vectors: Uint8Array[] = [];
  for (let from = 0; from < passages.length; from += 32)
    vectors.push(
      ...(await embedder.embed(
        passages.slice(from, from + 32).map(({ text }) => text),
        'passage',
      )),
    );
  const generated = findBoundaries(
    passages.map((passage, place) => ({ ...passage, vector: vectorOf(vectors[place]!) })),
    lines.map((line) => ({ ...line, words: tokenize(line.text) })),
  );
  return { generated: generated.slice(1), ofSite: starts.slice(1), durationSeconds: seconds };
}

describe.runIf(python && pages)('chapters of joined manual pages', () => {
  test('begin where another page begins', { timeout: 600_000 }, async () => {
    const options = { cwd: tmpdir(), signal: new AbortController().signal, isIdle: false };
    const embedder = await startEmbedder({ python: python!, packages: null }, 'use-m3', options);
    const compared: ComparedStarts[] = [];
    try {
      for (const talk of joinPages()) compared.push(await compare(embedder, talk));
    } finally {
      await embedder.close();
    }
    const { found, even } = scoreBoundaries(compared);
    expect(found).toBeGreaterThanOrEqual(0.7);
    expect(found - even).toBeGreaterThan(0.3);
  });
});
