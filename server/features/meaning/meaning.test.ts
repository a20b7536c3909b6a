import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { meaningModels } from '#contract/meaning-models.ts';
import type { Meaning } from '#contract/meaning.ts';
import type { Video } from '#contract/video.ts';
import { writeSettings } from '../../archive/settings/store.ts';
import { saveTranscriptOf, transcriptLines } from '../../archive/video/save-transcript.ts';
import { inTransaction } from '../../platform/db/db.ts';
import type { SubtitleSource } from '../../platform/db/schema/tables.ts';
import { createChannel, createUser, createVideo, engines, testApp, testTimeouts, type TestApp } from '../../test-support/app.ts';
import { indexPending } from '../search/index/index-pending.ts';
import { cutPassages } from './cut-passages.ts';
import { linesOf, savePassages } from './store.ts';
import { syncMeaningFiles } from './sync-files.ts';
import { startEmbeddingIfDue, startRelatingIfDue } from './tasks.ts';

type Found = Reply<Api['GET /api/search/moments/']>;
const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;

/** Transcripts: half a minute about one subject each. */
const talks = {
  bread:
    'Mix the flour with water and yeast, knead the dough for ten minutes, and let it rise until it has doubled in size before you bake it in a hot oven.',
  brakes:
    'When the brake pads are worn down, the bicycle does not stop in the rain any more. Loosen the cable, take out the old pads and put in new ones.',
  stars:
    'A star collapses when its fuel is exhausted. What remains is a white dwarf, a neutron star, or a black hole from which not even light can escape.',
  garden:
    'Tomatoes need a lot of sun and regular watering. Cut off the side shoots every week, otherwise the plant grows leaves instead of fruit.',
};
type Talk = keyof typeof talks;

describe.runIf(python)('search by meaning', () => {
  test.each(meaningModels)('%s finds the same in the same order on both databases', { timeout: 120_000 }, async (model) => {
    const results = [];
    for (const on of engines) {
      const t = await testApp({ on, env: { REELKEEP_MODELS_PYTHON: python! } });
      onTestFinished(() => t.close());
      const staff = await createUser(t, { isStaff: true });
      await writeSettings(t.app.db, { meaning: { enabled: true, model } });
      await t.runner.begin();
      const channelId = await createChannel(t.app.db, { id: 'talks', name: 'Talks' });
      for (const [place, text] of Object.values(talks).entries()) {
        // The same text twice: equal similarities.
        for (const id of [`talk${place}a`, `talk${place}b`])
          await createVideo(t.app.db, { id: id.padEnd(11, '0'), channelId, title: id, publishedAt: 1_700_000_000 });
        for (const id of [`talk${place}b`, `talk${place}a`]) {
          const lines = transcriptLines('en', [{ start: 0, end: 25, text }]);
          const videoId = id.padEnd(11, '0');
          await t.app.db
            .insertInto('subtitle')
            .values({ videoId, lang: 'en', source: 'user', name: 'en', path: `${id}.vtt` })
            .execute();
          await inTransaction(t.app.db, (tx) => saveTranscriptOf(tx, videoId, { lang: 'en', lines }));
        }
      }
      await indexPending(t.app.db);
      await startEmbeddingIfDue(t.app);
      await expect.poll(() => t.app.tasks.activeInputs('embed_passages'), testTimeouts).toEqual([]);
      const answers = [];
      for (const address of [
        ...['Brot backen', 'bicycle brakes', 'comment un trou noir se forme', 'Tomaten', 'water'].map(
          (question) => `/api/search/moments/?mode=meaning&query=${encodeURIComponent(question)}`,
        ),
        '/api/search/moments/?mode=both&query=water',
        '/api/search/moments/similar/?video=talk0a00000&t=0',
      ])
        answers.push((await staff.call('GET', address)).json<{ videos: unknown[] }>().videos);
      results.push(answers);
    }
    expect(results).toHaveLength(2);
    expect(results[0]!.filter((videos) => videos.length > 1).length).toBeGreaterThan(4);
    expect(results[1]).toEqual(results[0]);
  });

  describe.each(engines)('on $engine', (on) => {
    let t: TestApp;
    let staff: Awaited<ReturnType<typeof createUser>>;
    let clock: number;

    beforeEach(async () => {
      t = await testApp({ on, env: { REELKEEP_MODELS_PYTHON: python! } });
      clock = Math.floor(new Date(2026, 10, 5, 12, 0).getTime() / 1000);
      Object.assign(t.app, { now: () => clock });
      staff = await createUser(t, { isStaff: true });
      await writeSettings(t.app.db, { meaning: { enabled: true } });
      await t.runner.begin();
    });
    afterEach(() => t.close());

    const say = async (id: string, texts: string[], { lang = 'en', source = 'user' as SubtitleSource } = {}) => {
      await t.app.db
        .insertInto('subtitle')
        .values({ videoId: id, lang, source, name: lang, path: `c/${id}.${lang}.vtt` })
        .onConflict((c) => c.columns(['videoId', 'lang']).doNothing())
        .execute();
      const cues = texts.map((text, place) => ({ start: place * 30, end: place * 30 + 25, text }));
      await inTransaction(t.app.db, (tx) => saveTranscriptOf(tx, id, { lang, lines: transcriptLines(lang, cues) }));
    };
    const addTalks = async () => {
      const ids = {} as Record<Talk, string>;
      for (const [talk, text] of Object.entries(talks) as [Talk, string][]) {
        ids[talk] = await createVideo(t.app.db, { id: `${talk.padEnd(11, '0')}`, title: 'Untitled' });
        await say(ids[talk], [text]);
      }
      return ids;
    };
    const ended = () => expect.poll(() => t.app.tasks.activeInputs('embed_passages'), testTimeouts).toEqual([]);
    const embed = async () => {
      await indexPending(t.app.db);
      await startEmbeddingIfDue(t.app);
      await ended();
    };
    const request = (query: string, parameters = '', who = staff) =>
      who.call('GET', `/api/search/moments/?query=${encodeURIComponent(query)}&mode=meaning${parameters}`);
    const search = async (query: string, parameters = '', who = staff): Promise<Found> => {
      const response = await request(query, parameters, who);
      expect(response.statusCode, response.body).toBe(200);
      return response.json();
    };
    const ids = async (query: string, parameters = '', who = staff) =>
      (await search(query, parameters, who)).videos.map((video) => video.youtube_id);
    const state = async () => (await staff.call('GET', '/api/meaning/')).json<Meaning>();
    const rows = () => t.app.db.selectFrom('passage').selectAll().orderBy('videoId').orderBy('startMs').execute();

    test('a question in another language finds what is said about it', async () => {
      const of = await addTalks();
      await embed();
      const german = await search('Wie backe ich Brot mit Hefe?');
      expect(german.videos[0]!.youtube_id).toBe(of.bread);
      expect(german.videos[0]!.moments[0]).toMatchObject({
        kind: 'spoken',
        is_similar: true,
        is_generated: false,
        lang: 'en',
        start: 0,
        end: 25,
        ranges: [],
      });
      expect(german.videos[0]!.moments[0]!.text).toContain('knead the dough');
      expect((await ids('Warum bremst mein Fahrrad schlecht?'))[0]).toBe(of.brakes);
      expect((await ids('comment un trou noir se forme'))[0]).toBe(of.stars);
      expect((await ids('soins des plants de tomates'))[0]).toBe(of.garden);
      expect(await state()).toMatchObject({ videos: 4, queue: 0, passages: 4, problem: null, model: 'use-m3' });
    });

    test('says that nothing is similar enough', async () => {
      await addTalks();
      await embed();
      const nothing = await search('Steuererklärung für Selbstständige');
      expect(nothing.videos).toEqual([]);
      expect(nothing.notices.map(({ id }) => id)).toEqual(['search.meaning-nothing']);
    });

    describe('similar moments', () => {
      type Similar = Reply<Api['GET /api/search/moments/similar/']>;
      const request = (video: string, t: number, who = staff) =>
        who.call('GET', `/api/search/moments/similar/?video=${video}&t=${t}`);
      const similar = async (video: string, t: number, who = staff) => (await request(video, t, who)).json<Similar>();
      const found = ({ videos }: Similar) =>
        videos.map(({ youtube_id, moments }) => [youtube_id, moments.map(({ start }) => start)]);

      test('are about the same, in other videos and elsewhere in the same one, without the model', async () => {
        const of = await addTalks();
        await say(of.bread, [talks.bread, talks.stars, 'Bake the bread: flour, water and yeast become a dough that rises.']);
        const german = await createVideo(t.app.db, { id: 'teig0000000', title: 'Teig' });
        await say(
          german,
          ['Mehl mit Wasser und Hefe mischen, den Teig zehn Minuten kneten und gehen lassen, bevor er gebacken wird.'],
          {
            lang: 'de',
            source: 'generated',
          },
        );
        await embed();
        Object.assign(t.app.config, { modelsPython: '/nowhere/python3' });
        const user = await createUser(t, { name: 'other' });
        const { source, videos, notices } = await similar(of.bread, 12, user);
        expect(source).toMatchObject({ youtube_id: of.bread, moments: [{ start: 0, end: 25, lang: 'en', is_similar: false }] });
        expect(source.moments[0]!.text).toContain('knead the dough');
        expect(notices).toEqual([]);
        expect(videos.map(({ youtube_id }) => youtube_id).toSorted()).toEqual([german, of.bread].toSorted());
        const [inOther] = videos.find(({ youtube_id }) => youtube_id === german)!.moments;
        expect(inOther).toMatchObject({ kind: 'spoken', is_similar: true, is_generated: true, lang: 'de', start: 0 });
        expect(inOther!.text).toContain('Teig zehn Minuten kneten');
        expect(videos.find(({ youtube_id }) => youtube_id === of.bread)!.moments.map(({ start }) => start)).toEqual([60]);
        const params = { name: 'similar_moments', arguments: { video: of.bread, second: 12 } };
        const tool = await staff.call('POST', '/mcp/', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
        const { structuredContent } = tool.json().result;
        expect(structuredContent).toMatchObject({ source: { id: of.bread }, untrusted_fields: ['title', 'channel', 'text'] });
        expect(structuredContent.videos.map(({ id }: { id: string }) => id)).toEqual(videos.map(({ youtube_id }) => youtube_id));
        // The star that is between them, and the nearest passage of a time at which nothing is said.
        expect(found(await similar(of.bread, 31))).toEqual([[of.stars, [0]]]);
        expect((await similar(of.bread, 59.0004)).source.moments[0]!.start).toBe(60);
        expect((await similar(of.bread, 5000)).source.moments[0]!.start).toBe(60);
        expect((await similar(of.garden, 0)).notices.map(({ id }) => id)).toEqual(['search.meaning-nothing']);
      });

      test('leave out the passages next to the selected one', async () => {
        const id = await createVideo(t.app.db, { id: 'repeated000' });
        await say(
          id,
          Array.from({ length: 5 }, () => talks.bread),
        );
        await embed();
        expect(found(await similar(id, 65))).toEqual([[id, [0, 120]]]);
      });

      test('say why there are none', async () => {
        const of = await addTalks();
        await embed();
        const isIndexed = async (id: string) => (await staff.call('GET', `/api/meaning/video/${id}/`)).json().is_indexed;
        const silent = await createVideo(t.app.db, { id: 'silent00000' });
        const answer = async (id: string) => {
          const response = await request(id, 0);
          return [response.statusCode, response.json().error];
        };
        expect(await answer(silent)).toEqual([
          404,
          'This video has no indexed transcript. New transcripts are indexed within the background hours.',
        ]);
        expect(await answer('nothing0000')).toEqual([404, 'video not found']);
        expect([await isIndexed(of.bread), await isIndexed(silent)]).toEqual([true, false]);
        await writeSettings(t.app.db, { meaning: { enabled: false } });
        expect(await answer(of.bread)).toEqual([409, 'Meaning search is off. Staff can turn it on in Settings → Transcripts.']);
        expect(await isIndexed(of.bread)).toBe(false);
      });
    });

    test('filters apply, and users see the same', async () => {
      const of = await addTalks();
      await createChannel(t.app.db, { id: 'kitchen', name: 'Kitchen' });
      await t.app.db.updateTable('video').set({ channelId: 'kitchen' }).where('id', '=', of.bread).execute();
      const other = await createVideo(t.app.db, { id: 'bread200000', title: 'More bread', publishedAt: 86_400 });
      await say(other, ['Knead the bread dough and bake it in the oven, with flour, water and yeast.'], { source: 'generated' });
      await embed();
      const question = 'Brotteig kneten und backen';
      expect((await ids(question)).toSorted()).toEqual([other, of.bread].toSorted());
      expect(await ids(question, '&channel=kitchen')).toEqual([of.bread]);
      expect(await ids(`${question} channel:Kitchen`)).toEqual([of.bread]);
      expect(await ids(`${question} is:generated`)).toEqual([other]);
      expect(await ids(question, `&video=${other}`)).toEqual([other]);
      expect(await ids(question, '&before=1970-01-03')).toEqual([other]);
      expect(await ids(`${question} lang:de`)).toEqual([]);
      expect(await ids(`${question} -doubled`)).toEqual([other]);
      expect(await ids(`${question} by:anna`)).toEqual([]);
      expect(await ids(question, '&in=title')).toEqual([]);
      const user = await createUser(t, { name: 'other' });
      await t.app.db
        .insertInto('watch')
        .values({ accountId: user.id, videoId: other, watchedAt: 5, updatedAt: 5 } as never)
        .execute();
      expect((await ids(question, '', user)).toSorted()).toEqual([other, of.bread].toSorted());
      expect(await ids(question, '&watched=true', user)).toEqual([other]);
      expect(await ids(question, '&watched=true')).toEqual([]);
    });

    test('both kinds of matches are merged, and a passage with the words is listed once', async () => {
      const of = await addTalks();
      const words = await createVideo(t.app.db, { id: 'words000000', title: 'Knead' });
      await embed();
      const { videos } = (await staff.call('GET', '/api/search/moments/?query=knead+dough&mode=both')).json<Found>();
      expect(videos.map(({ youtube_id }) => youtube_id).toSorted()).toEqual([of.bread, words].filter((id) => id !== words));
      expect(videos[0]!.moments.filter(({ kind }) => kind === 'spoken')).toHaveLength(1);
      expect(videos[0]!.moments[0]!.is_similar).toBe(false);
    });

    test('embeds only changed text again, and deletes vectors with their track', async () => {
      const of = await addTalks();
      await say(of.stars, [talks.stars, talks.garden]);
      await embed();
      const before = await rows();
      expect(before).toHaveLength(5);
      // Another vector shows whether a passage was embedded again.
      await t.app.db
        .updateTable('passage')
        .set({ vector: new Uint8Array(512).fill(7) })
        .execute();
      await say(of.stars, [talks.stars, talks.bread]);
      await embed();
      const after = await rows();
      expect(
        after.filter(({ vector }) => !new Uint8Array(vector).every((one) => one === 7)).map(({ startMs }) => startMs),
      ).toEqual([30_000]);
      expect(after).toHaveLength(5);
      await t.app.db.deleteFrom('subtitle').where('videoId', '=', of.stars).execute();
      expect((await rows()).map(({ videoId }) => videoId)).not.toContain(of.stars);
      await t.app.db.deleteFrom('video').where('id', '=', of.bread).execute();
      expect(await rows()).toHaveLength(2);
      const folder = join(t.app.config.cacheFolder, 'meaning');
      const codes = await readFile(join(folder, 'use-m3.codes'));
      await syncMeaningFiles(t.app);
      expect((await stat(join(folder, 'use-m3.codes'))).size).toBe(codes.length - 3 * 64 - 2 * 8);
    });

    test('takes the transcript of people before automatic ones, and leaves out languages that the model does not know', async () => {
      const id = await createVideo(t.app.db, { id: 'tracks00000' });
      await say(id, [talks.bread], { lang: 'de', source: 'auto' });
      await say(id, [talks.brakes], { lang: 'en' });
      const swedish = await createVideo(t.app.db, { id: 'swedish0000' });
      await say(swedish, ['Blanda mjöl, vatten och jäst.'], { lang: 'sv' });
      await embed();
      expect((await rows()).map(({ videoId, lang }) => [videoId, lang])).toEqual([[id, 'en']]);
      expect(await state()).toMatchObject({ videos: 2, queue: 0, uncovered: { videos: 1, languages: ['sv'], covered_by: 'e5' } });
      const { notices } = await search('bicycle brakes');
      expect(notices).toEqual([
        { id: 'search.meaning-languages', params: { count: 1, languages: 'sv' } },
        { id: 'search.meaning-model', params: { model: 'e5' } },
      ]);
    });

    describe('another model', () => {
      const choose = async (model: string) =>
        expect((await staff.call('POST', '/api/appsettings/config/', { meaning: { model } })).statusCode).toBe(200);
      /** Chooses a model and indexes some videos with it, as an interrupted run does. */
      const begin = async (model: 'e5', videos: string[]) => {
        await writeSettings(t.app.db, { meaning: { model } });
        for (const id of videos) {
          const { newest } = await t.app.db
            .selectFrom('searchTrack')
            .select((e) => e.fn.max<number>('number').as('newest'))
            .where('videoId', '=', id)
            .executeTakeFirstOrThrow();
          const passages = cutPassages(await linesOf(t.app.db, id, 'en'));
          const vector = new Uint8Array(384).fill(1);
          await savePassages(t.app.db, model, [
            { id, newest, lang: 'en', passages: passages.map((one) => ({ ...one, vector })) },
          ]);
        }
        await syncMeaningFiles(t.app);
      };
      const models = async () => [...new Set((await rows()).map(({ model }) => model))].toSorted();
      const files = async () => (await readdir(join(t.app.config.cacheFolder, 'meaning'))).toSorted();
      /** The first answer to a question about bread, and to one that only e5 understands the answer of. */
      const answer = async () => [(await ids(question))[0], (await ids('ice fishing in winter'))[0]];
      const question = 'Wie backe ich Brot mit Hefe?';

      test('answers when its index is complete; until then the one before does, without a gap', async () => {
        const of = await addTalks();
        const swedish = await createVideo(t.app.db, { id: 'swedish0000' });
        await say(
          swedish,
          ['På vintern borrar vi hål i isen på sjön, sätter oss på en pall och väntar tills en abborre nappar på kroken.'],
          {
            lang: 'sv',
          },
        );
        await embed();
        const before = await answer();
        expect(before).toEqual([of.bread, undefined]);
        expect(await state()).toMatchObject({ model: 'use-m3', active_model: 'use-m3', uncovered: { videos: 1 } });
        await choose('e5');
        const seen = [];
        const states = [];
        do {
          states.push(await state());
          seen.push(await answer());
        } while ((await t.app.tasks.activeInputs('embed_passages')).length > 0);
        expect(states[0]).toMatchObject({ model: 'e5', active_model: 'use-m3', queue: 5, videos: 0 });
        const after = await answer();
        expect(after).toEqual([of.bread, swedish]);
        const change = seen.findIndex((one) => one[1] !== before[1]);
        expect(change).not.toBe(0);
        expect(seen).toEqual(seen.map((_, place) => (change < 0 || place < change ? before : after)));
        expect(await state()).toMatchObject({
          model: 'e5',
          active_model: 'e5',
          queue: 0,
          videos: 5,
          uncovered: { videos: 0, languages: [], covered_by: null },
        });
        expect(await models()).toEqual(['e5']);
        expect(await files()).toEqual(['e5.codes', 'e5.sample']);
        expect((await staff.call('GET', `/api/search/moments/similar/?video=${swedish}&t=0`)).statusCode).toBe(200);
        // The process of the other one has ended.
        expect(t.app.state.questionProcess!.model).toBe('e5');
      });

      test('can be given up midway: the index before is complete at once', async () => {
        const of = await addTalks();
        await embed();
        const numbers = (await rows()).map(({ number }) => number);
        const before = await answer();
        await begin('e5', [of.bread, of.stars]);
        expect(await models()).toEqual(['e5', 'use-m3']);
        expect(await files()).toEqual(['e5.codes', 'e5.sample', 'use-m3.codes', 'use-m3.sample']);
        expect(await answer()).toEqual(before);
        expect(await state()).toMatchObject({ model: 'e5', active_model: 'use-m3', videos: 2, queue: 2 });
        await choose('use-m3');
        expect(await answer()).toEqual(before);
        expect(await state()).toMatchObject({ model: 'use-m3', active_model: 'use-m3', queue: 0 });
        await ended();
        await embed();
        expect((await rows()).map(({ number }) => number)).toEqual(numbers);
        expect(await files()).toEqual(['use-m3.codes', 'use-m3.sample']);
        expect((await answer())[0]).toBe(of.bread);
      });

      test('does not keep passages of a text that has changed meanwhile, or was deleted', async () => {
        const of = await addTalks();
        await embed();
        await say(of.bread, [talks.brakes]);
        await t.app.db.deleteFrom('subtitle').where('videoId', '=', of.stars).execute();
        await indexPending(t.app.db);
        expect((await rows()).map(({ videoId }) => videoId)).not.toContain(of.stars);
        await begin('e5', [of.bread, of.brakes]);
        const now = (await rows()).map(({ videoId, model }) => [videoId, model]);
        expect(now.filter(([videoId]) => videoId === of.bread)).toEqual([[of.bread, 'e5']]);
        expect(
          now
            .filter(([videoId]) => videoId === of.brakes)
            .map(([, model]) => model)
            .toSorted(),
        ).toEqual(['e5', 'use-m3']);
        expect((await ids('Warum bremst mein Fahrrad schlecht?'))[0]).toBe(of.brakes);
        await t.app.db.deleteFrom('subtitle').where('videoId', '=', of.brakes).execute();
        expect((await rows()).map(({ videoId }) => videoId)).not.toContain(of.brakes);
      });

      test('finds related videos by its own vectors', async () => {
        const of = await addTalks();
        const german = await createVideo(t.app.db, { id: 'teig0000000', title: 'Teig' });
        await say(german, ['Mehl mit Wasser und Hefe mischen, den Teig zehn Minuten kneten und in einem heißen Ofen backen.'], {
          lang: 'de',
        });
        const relate = async () => {
          await startRelatingIfDue(t.app);
          await expect.poll(() => t.app.tasks.activeInputs('relate_videos'), testTimeouts).toEqual([]);
        };
        const related = async () =>
          (await staff.call('GET', `/api/video/${of.bread}/similar/`)).json<Video[]>().map(({ youtube_id }) => youtube_id);
        await embed();
        await relate();
        expect((await related())[0]).toBe(german);
        await choose('e5');
        await ended();
        expect(await models()).toEqual(['e5']);
        await relate();
        expect((await related())[0]).toBe(german);
        const vectors = await t.app.db.selectFrom('trackVector').select('vector').execute();
        expect(vectors.map(({ vector }) => vector.length)).toEqual([384, 384, 384, 384, 384]);
      });
    });

    test('updates of the files at the same time do not disturb each other', async () => {
      const of = await addTalks();
      await embed();
      await t.app.db.deleteFrom('video').where('id', '=', of.bread).execute();
      await Promise.all([syncMeaningFiles(t.app), syncMeaningFiles(t.app), syncMeaningFiles(t.app)]);
      const { size } = await stat(join(t.app.config.cacheFolder, 'meaning', 'use-m3.codes'));
      expect(size).toBe(256 + 3 * (8 + 64));
      expect((await ids('soins des plants de tomates'))[0]).toBe(of.garden);
    });

    test('a stopped run keeps what it has saved, and the next one continues', async () => {
      for (let place = 0; place < 8; place++) {
        const id = await createVideo(t.app.db, { id: `long${String(place).padStart(7, '0')}` });
        await say(
          id,
          Array.from({ length: 120 }, (_, line) => `Part ${line} of talk ${place}: ${talks.stars}`),
        );
      }
      await indexPending(t.app.db);
      await startEmbeddingIfDue(t.app);
      await expect.poll(async () => (await rows()).length, testTimeouts).toBeGreaterThan(0);
      const { id } = await t.app.db
        .selectFrom('task')
        .select('id')
        .where('name', '=', 'embed_passages')
        .executeTakeFirstOrThrow();
      const asked = performance.now();
      expect(await t.app.tasks.stop(id, 'STOP')).toBe(true);
      await ended();
      expect(performance.now() - asked).toBeLessThan(5000);
      const saved = await rows();
      expect(saved.length).toBeGreaterThan(0);
      expect(saved.length).toBeLessThan(8 * 120);
      // It is not started again at once.
      await startEmbeddingIfDue(t.app);
      expect(await t.app.tasks.activeInputs('embed_passages')).toEqual([]);
      clock += 601;
      await embed();
      const all = await rows();
      expect(all).toHaveLength(8 * 120);
      const numbers = new Set(all.map(({ number }) => number));
      expect(saved.every(({ number }) => numbers.has(number))).toBe(true);
    });

    test('waits for the background hours', async () => {
      await addTalks();
      await writeSettings(t.app.db, { background: { hours: '01:00-06:00' } });
      await embed();
      expect(await rows()).toEqual([]);
      expect(await state()).toMatchObject({ queue: 4, starts_at: clock + 13 * 3600 });
      const waiting = await search('bread');
      expect(waiting.notices).toContainEqual({ id: 'search.meaning-progress', params: { percent: 0 } });
      expect(waiting.notice_texts).toContain('Meaning index: 0 % done.');
      clock += 13 * 3600;
      await embed();
      expect(await rows()).toHaveLength(4);
    });

    test('is off by default, and says why it does not work', async () => {
      const of = await addTalks();
      await embed();
      const user = await createUser(t, { name: 'other' });
      expect((await user.call('GET', '/api/meaning/')).statusCode).toBe(403);
      const words = async () => (await user.call('GET', '/api/search/moments/?query=dough')).json<Found>();
      expect((await words()).has_meaning).toBe(true);
      await t.app.db.deleteFrom('passageTrack').execute();
      await writeSettings(t.app.db, { meaning: { enabled: false } });
      const off = await request('bread', '', user);
      expect([off.statusCode, off.json().error]).toEqual([
        409,
        'Meaning search is off. Staff can turn it on in Settings → Transcripts.',
      ]);
      expect((await words()).has_meaning).toBe(false);
      expect((await staff.call('POST', '/api/meaning/rebuild/')).statusCode).toBe(409);
      // Turned on, it begins at once.
      await staff.call('POST', '/api/appsettings/config/', { meaning: { enabled: true } });
      await expect.poll(async () => (await state()).queue, testTimeouts).toBe(0);
      await ended();
      expect((await staff.call('POST', '/api/meaning/rebuild/')).statusCode).toBe(200);
      await ended();
      await embed();
      expect((await ids('Brot backen', '', user))[0]).toBe(of.bread);
      await t.app.state.questionProcess!.end();
      Object.assign(t.app.config, { modelsPython: '/nowhere/python3' });
      const missing = await request('bread', '', user);
      expect([missing.statusCode, missing.json().error]).toEqual([
        409,
        'The model use-m3 of the search by meaning is not installed. Install it in Settings → Transcripts.',
      ]);
      const both = (await user.call('GET', '/api/search/moments/?query=dough&mode=both')).json<Found>();
      expect(both.videos[0]!.youtube_id).toBe(of.bread);
      expect(both.notices.map(({ id }) => id)).toEqual(['meaning.no-engine']);
      expect(await state()).toMatchObject({
        problem: 'The model use-m3 of the search by meaning is not installed. Install it in Settings → Transcripts.',
      });
    });

    test('a process that ends is started again for the next question', async () => {
      const of = await addTalks();
      await embed();
      expect((await ids('Brot backen'))[0]).toBe(of.bread);
      await (await t.app.state.questionProcess!.embedder).close();
      const late = await search('Brot kneten');
      expect(late.notices.map(({ id }) => id)).toContain('search.meaning-late');
      expect((await ids('Brot backen'))[0]).toBe(of.bread);
    });
  });
});
