import { setImmediate } from 'node:timers/promises';
import type { MeaningModel } from '#contract/meaning-models.ts';
import { message, type Message } from '#contract/messages.ts';
import { watchBackgroundHours } from '../../archive/settings/watch-background-hours.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import type { Db } from '../../platform/db/db.ts';
import { compareCodes, Nearest } from './codes.ts';
import { modelsInIndex } from './active-model.ts';
import { codeOf, codeWordsOf, leastSimilarity, lengthOf, models, similarity, vectorOf, writeCode } from './model.ts';
import {
  addTrackVectors,
  countToRelate,
  countTracks,
  maxRelated,
  readTrackVectors,
  saveRelated,
  tracksToRelate,
  vectorsOf,
  type RelatedTracks,
} from './related-store.ts';

// As in nearest.ts: first the codes, 64 bytes a track in memory, then the exact order of the nearest by their vectors.

/** Nearest by their codes that are compared exactly: fewer than passages, of which there are more. */
const maxComparedOf = (model: MeaningModel) => models[model].candidates / 20;
// Of 383 manual pages, all 40 translations reach 3.4 deviations with their original; a page has 4 others above 2 at the median.
const leastDeviations = 2;
const tracksPerTransaction = 20;
const sampleSize = 1000;
// About a millisecond, after which requests have their turn.
const codesAtOnce = 16_384;

/** The codes of all tracks, and the vectors of some. */
interface TrackCodes {
  model: MeaningModel;
  numbers: number[];
  words: Uint32Array;
  sample: Int8Array[];
}

async function loadTrackCodes(db: Db, model: MeaningModel): Promise<TrackCodes> {
  const total = await countTracks(db, model);
  const codeWords = codeWordsOf(model);
  const words = new Uint32Array(total * codeWords);
  const numbers: number[] = [];
  const sample: Int8Array[] = [];
  for await (const some of readTrackVectors(db, model))
    for (const { number, vector } of some) {
      // Others were added meanwhile.
      if (numbers.length === total) break;
      writeCode(vector, words, numbers.length * codeWords);
      if (Math.floor((numbers.length * sampleSize) / total) === sample.length) sample.push(vector.slice());
      numbers.push(number);
    }
  return { model, numbers, words, sample };
}

/** Finds the tracks nearest to a vector, best first. `number`: the track of the vector, which is left out. */
async function findRelated(
  db: Db,
  { model, numbers, words, sample }: TrackCodes,
  { number, vector }: { number: number; vector: Int8Array },
): Promise<number[]> {
  const code = codeOf(vector);
  const nearest = new Nearest(maxComparedOf(model) + 1);
  for (let first = 0; first < numbers.length; first += codesAtOnce) {
    const count = Math.min(codesAtOnce, numbers.length - first);
    compareCodes(nearest, code, { words, at: first * code.length, count, first });
    await setImmediate();
  }
  const candidates = nearest.list().flatMap((place) => (numbers[place] === number ? [] : [numbers[place]!]));
  const least = leastSimilarity(vector, sample, { leastDeviations, unrelated: models[model].unrelatedTracks });
  const length = lengthOf(vector);
  return (await vectorsOf(db, candidates))
    .map((other) => ({ number: other.number, fit: similarity(vector, length, other.vector) }))
    .filter(({ fit }) => fit >= least)
    .sort((a, b) => b.fit - a.fit || a.number - b.number)
    .slice(0, maxRelated)
    .map((other) => other.number);
}

interface RelateOptions {
  signal: AbortSignal;
  /** Called after each transaction with the numbers of tracks that were compared, and that are to be. */
  onSaved(done: number, total: number): void;
}

/**
 * Finds the nearest tracks of a model of those that are new, that lost one of theirs, or that a new one is near to. Returns how many. A stop or a
 * crash loses what is not saved yet: about twenty tracks.
 */
export async function relateTracks(db: Db, model: MeaningModel, { signal, onSaved }: RelateOptions): Promise<number> {
  const codes = await loadTrackCodes(db, model);
  const compared = new Set<number>();
  const total = await countToRelate(db, model);
  for (;;) {
    const tracks = (await tracksToRelate(db, model, tracksPerTransaction)).filter(({ number }) => !compared.has(number));
    if (tracks.length === 0) return compared.size;
    const found: RelatedTracks[] = [];
    const outdated = new Set<number>();
    for (const { number, state, vector } of tracks) {
      signal.throwIfAborted();
      const related = await findRelated(db, codes, { number, vector: vectorOf(vector) });
      found.push({ number, related });
      compared.add(number);
      if (state === 0) for (const other of related) outdated.add(other);
    }
    // Those of this run have been compared with all tracks.
    await saveRelated(
      db,
      found,
      [...outdated].filter((number) => !compared.has(number)),
    );
    onSaved(compared.size, total);
  }
}

/** Finds related videos, as far as they are not stored yet. */
export async function relateVideos({ signal, report }: TaskWork<unknown>, app: AppContext): Promise<Message | void> {
  const { db } = app;
  const hours = watchBackgroundHours(app);
  const both = AbortSignal.any([signal, hours.signal]);
  try {
    let done = 0;
    // Also of a model whose index is not complete yet, so that it has related videos when it is.
    for (const model of await modelsInIndex(db)) {
      while ((await addTrackVectors(db, model)) > 0) both.throwIfAborted();
      done += await relateTracks(db, model, {
        signal: both,
        onSaved: (count, total) =>
          report({
            messages: [message('meaning.relating', { done: count })],
            progress: Math.min(1, count / Math.max(1, total)),
          }),
      });
    }
    if (done > 0) return message('meaning.related', { count: done });
  } catch (error) {
    if (!hours.signal.aborted || signal.aborted) throw error;
  } finally {
    hours.stop();
  }
}
