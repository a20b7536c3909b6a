import { appendFile, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sql } from 'kysely';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVideo, engines, testApp, type TestApp } from '../../test-support/app.ts';
import { nearestCodes, readHeader, readSampleVectors, syncCodes, type CodeFiles } from './codes.ts';
import { passagesPerTrack } from './cut-passages.ts';
import { codeOf, models } from './model.ts';

const { dimensions } = models['use-m3'];

/** Repeatable vectors. */
function vectorFor(seed: number): Int8Array {
  let state = seed * 2654435761 + 1;
  return Int8Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state >> 24;
  });
}
const differences = (a: Int8Array, b: Int8Array) => a.reduce((sum, one, place) => sum + (one > 0 === b[place]! > 0 ? 0 : 1), 0);

describe.each(engines)('the file of codes on $engine', (on) => {
  let t: TestApp;
  let folder: string;
  let files: CodeFiles;
  const vectors = new Map<number, Int8Array>();
  beforeEach(async () => {
    t = await testApp({ on });
    folder = await mkdtemp(join(tmpdir(), 'codes-'));
    files = { folder, model: 'use-m3' };
    vectors.clear();
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await t.close();
  });

  /** Adds a video with passages; returns the number of its track. */
  async function addTrack(id: string, count: number): Promise<number> {
    await createVideo(t.app.db, { id });
    const about = { videoId: id, lang: 'en', model: 'use-m3' } as const;
    const { number } = await t.app.db
      .insertInto('passageTrack')
      .values({ ...about, source: 1, passages: count })
      .returning('number')
      .executeTakeFirstOrThrow();
    for (let from = 0; from < count; from += 100)
      await t.app.db
        .insertInto('passage')
        .values(
          Array.from({ length: Math.min(100, count - from) }, (_, place) => {
            const of = number * passagesPerTrack + from + place;
            vectors.set(of, vectorFor(of));
            return { ...about, number: of, startMs: 0, endMs: 1, mark: '', vector: new Uint8Array(vectorFor(of).buffer) };
          }),
        )
        .execute();
    return number;
  }
  const dropTrack = async (number: number) => {
    await t.app.db.deleteFrom('passageTrack').where('number', '=', number).execute();
    await t.app.db
      .deleteFrom('passage')
      .where('number', '>=', number * passagesPerTrack)
      .where('number', '<', (number + 1) * passagesPerTrack)
      .execute();
    for (const of of vectors.keys()) if (Math.floor(of / passagesPerTrack) === number) vectors.delete(of);
  };
  const closest = (question: Int8Array, wanted: number, isWanted: (track: number) => boolean = () => true) =>
    [...vectors]
      .filter(([of]) => isWanted(Math.floor(of / passagesPerTrack)))
      .map(([of, vector]) => ({ of, distance: differences(question, vector) }))
      .sort((a, b) => a.distance - b.distance || a.of - b.of)
      .slice(0, wanted)
      .map(({ of }) => of)
      .sort((a, b) => a - b);
  const found = async (question: Int8Array, wanted: number, tracks: Set<number> | null = null) =>
    (await nearestCodes(files, codeOf(question), { tracks, wanted })).sort((a, b) => a - b);

  test('finds what differs in the fewest bits, also of some tracks, and follows changes of the table', async () => {
    const first = await addTrack('aaaaaaaaaaa', 300);
    // More codes than fit into a buffer.
    const long = await addTrack('bbbbbbbbbbb', 4000);
    await syncCodes(t.app.db, files);
    const question = vectorFor(-5);
    expect(await found(question, 20)).toEqual(closest(question, 20));
    expect(await found(question, 20, new Set([first]))).toEqual(closest(question, 20, (track) => track === first));
    expect(await found(question, 9999)).toHaveLength(4300);

    const later = await addTrack('ccccccccccc', 1300);
    const added = await addTrack('ddddddddddd', 1);
    await syncCodes(t.app.db, files);
    expect(await found(question, 50)).toEqual(closest(question, 50));
    await dropTrack(long);
    await syncCodes(t.app.db, files);
    expect(await found(question, 50)).toEqual(closest(question, 50));
    expect(await readHeader(files)).toMatchObject({ tracks: 3, passages: 1601, lastTrack: added });
    expect(await found(vectorFor(later * passagesPerTrack), 1)).toEqual([later * passagesPerTrack]);
    const sample = await readSampleVectors(files);
    expect(sample.length).toBeGreaterThan(300);
    const known = new Set([...vectors.values()].map((vector) => vector.join()));
    expect(sample.every((vector) => known.has(vector.join()))).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['use-m3.codes', 'use-m3.sample']);
  });

  test('uses nothing of a file from before a restore, whose numbers are used again', async () => {
    const first = await addTrack('aaaaaaaaaaa', 3);
    await syncCodes(t.app.db, files);
    await t.app.db.deleteFrom('passage').execute();
    await t.app.db.deleteFrom('passageTrack').execute();
    await createVideo(t.app.db, { id: 'bbbbbbbbbbb' });
    const about = { videoId: 'bbbbbbbbbbb', lang: 'en', model: 'use-m3' } as const;
    await sql`insert into passage_track (number, video_id, lang, model, source, passages) ${sql.raw(on.engine === 'postgres' ? 'overriding system value' : '')}
      values (${first}, 'bbbbbbbbbbb', 'en', 'use-m3', 1, 3)`.execute(t.app.db);
    for (let place = 0; place < 3; place++) {
      const vector = new Uint8Array(vectorFor(700 + place).buffer);
      await t.app.db
        .insertInto('passage')
        .values({ ...about, number: first * passagesPerTrack + place, startMs: 0, endMs: 1, mark: '', vector })
        .execute();
    }
    await syncCodes(t.app.db, files);
    expect(await found(vectorFor(701), 1)).toEqual([first * passagesPerTrack + 1]);
    expect((await readSampleVectors(files)).map((vector) => vector.join())).toEqual(
      [700, 701, 702].map((seed) => vectorFor(seed).join()),
    );
  });

  test('writes over what a killed server had appended without the header', async () => {
    const first = await addTrack('aaaaaaaaaaa', 10);
    await syncCodes(t.app.db, files);
    const path = join(folder, 'use-m3.codes');
    const second = await addTrack('bbbbbbbbbbb', 10);
    // Half of the block.
    await appendFile(path, new Uint8Array(new Uint32Array([second, 10, ...Array.from({ length: 80 }, () => 7)]).buffer));
    expect(await found(vectorFor(first * passagesPerTrack), 1)).toEqual([first * passagesPerTrack]);
    expect(await found(vectorFor(second * passagesPerTrack), 100)).toHaveLength(10);
    await syncCodes(t.app.db, files);
    expect(await found(vectorFor(second * passagesPerTrack + 9), 1)).toEqual([second * passagesPerTrack + 9]);
    const repaired = await readFile(path);
    await rm(path);
    await syncCodes(t.app.db, files);
    expect(repaired.equals(await readFile(path))).toBe(true);
  });

  test('builds a damaged file again', async () => {
    const first = await addTrack('aaaaaaaaaaa', 10);
    await syncCodes(t.app.db, files);
    await truncate(join(folder, 'use-m3.codes'), 300);
    expect(await found(vectorFor(first * passagesPerTrack), 1)).toEqual([]);
    await syncCodes(t.app.db, files);
    expect(await found(vectorFor(first * passagesPerTrack), 1)).toEqual([first * passagesPerTrack]);
  });
});
