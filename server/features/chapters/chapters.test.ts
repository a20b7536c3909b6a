import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Api } from '#contract/api.ts';
import type { GeneratedChapters } from '#contract/chapters.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { Chapter, Video } from '#contract/video.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { saveTranscriptOf, transcriptLines } from '../../archive/video/save-transcript.ts';
import type { TaskWork } from '../../platform/context/task.ts';
import { inTransaction } from '../../platform/db/db.ts';
import { createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { cutPassages } from '../meaning/cut-passages.ts';
import { models } from '../meaning/model.ts';
import { linesOf, savePassages } from '../meaning/store.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { suggestChapters } from './suggest.ts';
import { startChaptersIfDue } from './tasks.ts';

type Found = Reply<Api['GET /api/search/moments/']>;

// Vectors of invented subjects stand for those of a model (manual-pages.test.ts has a real one).
const subjects = ['valve', 'bread', 'canal', 'violin', 'tomato', 'bicycle', 'planet', 'carpet'];

function vectorOf(subject: string, noise: number): Uint8Array {
  let seed = [...subject].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  const base = Array.from({ length: models['use-m3'].dimensions }, random);
  seed = noise + 104_729;
  return new Uint8Array(Int8Array.from(base, (one) => Math.round(100 * one + 50 * random())).buffer);
}

/** Subjects of a talk with their seconds. */
type Talk = [subject: string, seconds: number][];

/** Chapters of the site where the subjects change, shifted by some seconds. */
function chaptersOf(talk: Talk, shift = 0): Chapter[] {
  let at = 0;
  return talk.map(([subject, seconds], place) => {
    const start = place === 0 ? 0 : at + shift;
    at += seconds;
    return { title: `About the ${subject}`, start, end: at + shift };
  });
}

describe.each(engines)('generated chapters on $engine', (on) => {
  let t: TestApp;
  let staff: Awaited<ReturnType<typeof createUser>>;
  let clock: number;

  beforeEach(async () => {
    t = await testApp({ on });
    clock = Math.floor(new Date(2026, 10, 5, 12, 0).getTime() / 1000);
    Object.assign(t.app, { now: () => clock });
    staff = await createUser(t, { isStaff: true });
    await writeSettings(t.app.db, { meaning: { enabled: true } });
    await t.runner.begin();
  });
  afterEach(() => t.close());

  const lang = 'en';
  /** Indexes the passages of transcripts, as the search by meaning does. */
  const index = async (talks: ReadonlyMap<string, Talk>) => {
    const { db } = t.app;
    await indexPending(db);
    for (const [id, talk] of talks) {
      const { newest } = await db
        .selectFrom('searchTrack')
        .select((e) => e.fn.max<number>('number').as('newest'))
        .where('videoId', '=', id)
        .executeTakeFirstOrThrow();
      const subjectAt = (seconds: number) => {
        let end = 0;
        return talk.find(([, length]) => (end += length) > seconds)?.[0] ?? talk.at(-1)![0];
      };
      const passages = cutPassages(await linesOf(db, id, lang)).map((one) => ({
        ...one,
        vector: vectorOf(subjectAt((one.startMs + one.endMs) / 2000), one.startMs),
      }));
      await savePassages(db, 'use-m3', [{ id, newest, lang, passages }]);
    }
  };
  const say = async (id: string, talk: Talk) => {
    await t.app.db
      .insertInto('subtitle')
      .values({ videoId: id, lang, source: 'user', name: lang, path: `c/${id}.${lang}.vtt` })
      .onConflict((c) => c.columns(['videoId', 'lang']).doNothing())
      .execute();
    const cues = talk.flatMap(([subject, seconds]) =>
      Array.from({ length: seconds / 5 }, (_, place) =>
        place % 2 ? `and then the old ${subject} is there` : `so this is what a new ${subject} wheel does`,
      ),
    );
    const lines = cues.map((text, place) => ({ start: place * 5, end: place * 5 + 5, text }));
    await inTransaction(t.app.db, (tx) => saveTranscriptOf(tx, id, { lang, lines: transcriptLines(lang, lines) }));
  };
  const add = async (id: string, talk: Talk, chapters: Chapter[] = []) => {
    const durationSeconds = talk.reduce((sum, [, seconds]) => sum + seconds, 0);
    await createVideo(t.app.db, { id, title: id, durationSeconds, chapters: JSON.stringify(chapters) });
    await say(id, talk);
    return new Map([[id, talk]]);
  };
  const talkOf = (number: number): Talk =>
    [150, 405, 180, 260].map((seconds, place) => [
      subjects[(number + place * 3) % subjects.length]!,
      seconds + 5 * ((number * 7 + place) % 20),
    ]);
  const id = (number: number) => `video${String(number).padStart(6, '0')}`;
  /** Adds videos with chapters of the site, by default where the subjects change. */
  const addWithChapters = async (count: number, shift = 0) => {
    const talks = new Map<string, Talk>();
    for (let number = 0; number < count; number++) {
      const talk = talkOf(number);
      for (const one of await add(id(number), talk, chaptersOf(talk, shift))) talks.set(...one);
    }
    await index(talks);
  };
  const addWithout = async (count: number, from = 500) => {
    const talks = new Map<string, Talk>();
    for (let number = from; number < from + count; number++)
      for (const one of await add(id(number), talkOf(number))) talks.set(...one);
    await index(talks);
  };
  const ended = (name: string) => expect.poll(() => t.app.tasks.activeInputs(name), testTimeouts).toEqual([]);
  const state = async () => (await staff.call('GET', '/api/chapters/')).json<GeneratedChapters>();
  const evaluate = async () => {
    const started = await staff.call('POST', '/api/chapters/evaluation/');
    expect(started.statusCode, started.body).toBe(200);
    await ended('evaluate_chapters');
    return state();
  };
  const turn = (generate: boolean) => staff.call('POST', '/api/appsettings/config/', { chapters: { generate } });
  const generate = async () => {
    await startChaptersIfDue(t.app);
    await ended('suggest_chapters');
  };
  const chapters = async (number: number) => (await staff.call('GET', `/api/video/${id(number)}/`)).json<Video>().chapters;
  const rows = () => t.app.db.selectFrom('generatedChapters').selectAll().orderBy('videoId').execute();
  const turnOn = async () => {
    await addWithChapters(20);
    await evaluate();
    expect((await turn(true)).statusCode).toBe(200);
    await ended('suggest_chapters');
  };

  test('an archive whose chapters are found can turn them on, and videos without chapters get some', async () => {
    await addWithout(2);
    expect((await turn(true)).json()).toMatchObject({
      error:
        'It is not known yet how good generated chapters are in this archive. Choose “Evaluate” in Settings → Transcripts → Generated chapters.',
    });
    await addWithChapters(20);
    const evaluated = await evaluate();
    expect(evaluated).toMatchObject({ problem: null, is_evaluating: false, videos: 0, queue: 0 });
    expect(evaluated.evaluation).toMatchObject({ videos: 20, model: 'use-m3', evaluated_at: clock });
    expect(evaluated.evaluation!.found).toBeGreaterThan(0.9);
    expect(evaluated.evaluation!.even).toBeLessThan(0.5);
    expect(await chapters(500)).toEqual([]);

    expect((await turn(true)).statusCode).toBe(200);
    await ended('suggest_chapters');
    const talk = talkOf(500);
    const found = await chapters(500);
    expect(found.map(({ start }) => start)).toEqual(chaptersOf(talk).map(({ start }) => start));
    expect(found.at(-1)!.end).toBe(talk.reduce((sum, [, seconds]) => sum + seconds, 0));
    expect(found.every(({ is_generated }) => is_generated)).toBe(true);
    for (const [place, { title }] of found.entries()) expect(title).toContain(talk[place]![0]);
    expect(await state()).toMatchObject({ videos: 2, queue: 0 });
    // Chapters of the site are as they were.
    expect(await chapters(0)).toEqual(chaptersOf(talkOf(0)));
  });

  test('chapters at other places than the subjects keep them off, with both numbers', async () => {
    await addWithChapters(20, 90);
    const { problem, evaluation } = await evaluate();
    expect(evaluation!.found).toBeLessThan(0.45);
    const refused = await turn(true);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().error).toBe(problem);
    expect(problem).toMatch(
      /^Generated chapters are not good enough in this archive: \d+ % of chapter starts were found within 15 s, evenly spaced ones \d+ %\. They need 45 %, and 20 more than evenly spaced ones\./,
    );
    expect((await staff.call('GET', '/api/appsettings/config/')).json().chapters).toEqual({ generate: false });
  });

  test('too few videos keep them off, with their number; other settings are saved meanwhile', async () => {
    await addWithChapters(19);
    // Too short, and with two chapters.
    await index(await add(id(50), [['valve', 300]], chaptersOf(talkOf(0))));
    await index(await add(id(51), talkOf(3), chaptersOf(talkOf(3)).slice(0, 2)));
    const { problem, evaluation } = await evaluate();
    expect(evaluation).toMatchObject({ videos: 19 });
    expect(problem).toBe(
      'The evaluation found 19 videos with chapters of the site and ten minutes of speech in the index. It needs 20. Archive more of them, wait until they are indexed, and evaluate again.',
    );
    expect((await turn(true)).json().error).toBe(problem);
    expect((await turn(false)).statusCode).toBe(200);
    await writeSettings(t.app.db, { meaning: { enabled: false } });
    const off = 'Meaning search is off. Staff can turn it on in Settings → Transcripts.';
    expect((await turn(true)).json().error).toBe(off);
    expect((await staff.call('POST', '/api/chapters/evaluation/')).json().error).toBe(off);
  });

  test('an evaluation of another model does not count', async () => {
    await turnOn();
    await turn(false);
    const row = await t.app.db.selectFrom('setting').selectAll().where('name', '=', 'service.chapters').executeTakeFirstOrThrow();
    await t.app.db
      .updateTable('setting')
      .set({ value: row.value.replace('use-m3', 'e5') })
      .where('name', '=', row.name)
      .execute();
    expect((await turn(true)).statusCode).toBe(409);
  });

  test('turned off, they disappear', async () => {
    await addWithout(1);
    await turnOn();
    expect(await chapters(500)).toHaveLength(4);
    await turn(false);
    expect(await chapters(500)).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('chapters of the site replace them, and they return when the site removes its own', async () => {
    await addWithout(1);
    await turnOn();
    const set = (ofSite: Chapter[]) =>
      t.app.db
        .updateTable('video')
        .set({ chapters: JSON.stringify(ofSite) })
        .where('id', '=', id(500))
        .execute();
    const ofSite = [{ title: 'Intro', start: 0, end: 60 }];
    await set(ofSite);
    expect(await chapters(500)).toEqual(ofSite);
    await generate();
    expect(await chapters(500)).toEqual(ofSite);
    await set([]);
    expect(await chapters(500)).toEqual([]);
    await generate();
    expect(await chapters(500)).toHaveLength(4);
  });

  test('another transcript gets other chapters, and without one there are none', async () => {
    await addWithout(1);
    await turnOn();
    const before = await chapters(500);
    const talk: Talk = [
      ['planet', 400],
      ['carpet', 205],
      ['bread', 300],
    ];
    await say(id(500), talk);
    await index(new Map([[id(500), talk]]));
    expect(await chapters(500)).toEqual([]);
    await generate();
    const after = await chapters(500);
    expect(after.map(({ start }) => start)).toEqual([0, 400, 605]);
    expect(after).not.toEqual(before);
    await t.app.db.deleteFrom('subtitle').where('videoId', '=', id(500)).execute();
    expect(await chapters(500)).toEqual([]);
    await generate();
    expect(await chapters(500)).toEqual([]);
  });

  test('wait for the background hours', async () => {
    await turnOn();
    await addWithout(1);
    await writeSettings(t.app.db, { background: { hours: '01:00-06:00' } });
    await generate();
    expect(await chapters(500)).toEqual([]);
    expect(await state()).toMatchObject({ queue: 1 });
    clock += 13 * 3600;
    await generate();
    expect(await chapters(500)).toHaveLength(4);
  });

  test('a stopped run keeps what it has saved, and the next one continues', async () => {
    await turnOn();
    await addWithout(6);
    const stop = new AbortController();
    let done = 0;
    const work = {
      signal: stop.signal,
      report: () => void (++done === 2 && stop.abort()),
      skip: () => undefined,
    } as unknown as TaskWork<unknown>;
    await expect(suggestChapters(work, t.app)).rejects.toThrow(/abort/);
    const saved = (await rows()).filter(({ chapters: list }) => list !== '[]');
    expect(saved).toHaveLength(2);
    // It is not started again at once.
    await generate();
    expect(await state()).toMatchObject({ videos: 2, queue: 4 });
    clock += 601;
    await generate();
    expect(await state()).toMatchObject({ videos: 6, queue: 0 });
    expect(await rows()).toEqual(expect.arrayContaining(saved));
  });

  test('a video that cannot be read does not end the run or the evaluation', async () => {
    await addWithout(3);
    await addWithChapters(21);
    await t.app.db
      .updateTable('passage')
      .set({ vector: new Uint8Array([1, 2, 3]) })
      .where('videoId', 'in', [id(501), id(7)])
      .execute();
    expect((await evaluate()).evaluation).toMatchObject({ videos: 20 });
    await turn(true);
    await ended('suggest_chapters');
    expect(await state()).toMatchObject({ videos: 2, queue: 0 });
    expect(await chapters(501)).toEqual([]);
    const { data } = (await staff.call('GET', '/api/task/runs/?problems=true')).json<Reply<Api['GET /api/task/runs/']>>();
    expect(data.map(({ name, status, problems }) => [name, status, problems]).toSorted()).toEqual([
      ['evaluate_chapters', 'success', 1],
      ['suggest_chapters', 'success', 1],
    ]);
  });

  test('too little speech gives none', async () => {
    await turnOn();
    const talk: Talk = [
      ['valve', 150],
      ['bread', 150],
      ['canal', 250],
    ];
    await index(await add(id(500), talk));
    await generate();
    expect(await chapters(500)).toEqual([]);
    expect(await state()).toMatchObject({ queue: 0 });
  });

  test('the search finds them', async () => {
    await addWithout(1);
    await turnOn();
    await indexPending(t.app.db);
    const [, second] = await chapters(500);
    const search = async () =>
      (await staff.call('GET', `/api/search/moments/?in=chapter&query=${second!.title.split(/\W/)[0]}`)).json<Found>().videos;
    const moment = { kind: 'chapter', start: second!.start, is_generated: true, text: second!.title };
    const found = (await search()).find(({ youtube_id }) => youtube_id === id(500));
    expect(found?.moments).toContainEqual(expect.objectContaining(moment));
    await turn(false);
    await indexPending(t.app.db);
    expect((await search()).map(({ youtube_id }) => youtube_id)).not.toContain(id(500));
  });

  test('are only for staff to evaluate', async () => {
    const user = await createUser(t, { name: 'other' });
    expect((await user.call('GET', '/api/chapters/')).statusCode).toBe(403);
    expect((await user.call('POST', '/api/chapters/evaluation/')).statusCode).toBe(403);
  });
});
