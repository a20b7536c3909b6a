/**
 * `npm run bench -- meaning`: builds the file of codes of 600,000 and 2.5 million generated passages and searches in it
 * (`REELKEEP_BENCH_PASSAGES`: other numbers, separated by commas, or 0), and finds the related videos of 20,000
 * (`REELKEEP_BENCH_RELATED`). With the model (`REELKEEP_TEST_MEANING_PYTHON`) and Debian's `manpages-de`, `manpages-fr`, `coreutils` and
 * `util-linux`, it also looks for the English page of German and French ones; and with `REELKEEP_BENCH_TEXTS`, a folder of HTML and
 * plain texts, it compares the two steps of a search with all vectors of these texts. `REELKEEP_BENCH_MODEL`: `e5` instead of `use-m3`;
 * `REELKEEP_BENCH_REAL`: other than 100,000 real passages, with as many fewer candidates.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MeaningModel } from '#contract/meaning-models.ts';
import { nearestCodes, syncCodes, type CodeFiles } from '#server/features/meaning/codes.ts';
import { passagesPerTrack } from '#server/features/meaning/cut-passages.ts';
import { startEmbedder } from '#server/features/meaning/embedder.ts';
import { codeOf, lengthOf, models, similarity, vectorOf } from '#server/features/meaning/model.ts';
import { nearestPassages } from '#server/features/meaning/nearest.ts';
import { relateTracks } from '#server/features/meaning/relate.ts';
import { addTrackVectors, relatedVideos } from '#server/features/meaning/related-store.ts';
import { migrate } from '#server/platform/db/migrations/migrate.ts';
import { openSqlite } from '#server/platform/db/sqlite/sqlite.ts';
import { timesOf } from './http-client.ts';
import { ms, table } from './large.ts';
import { manualPages, pageTexts } from './manual-pages.ts';
import { passagesOf } from './texts.ts';

/** The model that is measured. */
const model: MeaningModel = process.env.REELKEEP_BENCH_MODEL === 'e5' ? 'e5' : 'use-m3';
const { candidates, dimensions } = models[model];
const sizes = (process.env.REELKEEP_BENCH_PASSAGES || '600000,2500000').split(',').map(Number);
/** Real passages at most. */
const maxReal = Number(process.env.REELKEEP_BENCH_REAL || 100_000);
/** Texts for which others are sought. */
const sought = 300;
/** Passages of each of the videos whose related ones are found, and numbers of such videos. */
const passagesOfRelated = 5;
const relatedSizes = (process.env.REELKEEP_BENCH_RELATED || '20000').split(',').map(Number);
const questions = 40;
const folder = await mkdtemp(join(tmpdir(), 'reelkeep-meaning-'));
const rows: string[][] = [];
const note = (...row: string[]) => {
  rows.push(row);
  console.log(`… ${row.join(': ')}`);
};
const residentMib = () => process.memoryUsage.rss() / 2 ** 20;

let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
/** A vector around one of the subjects, as real ones are not spread evenly. */
const subjects = Array.from({ length: 500 }, () => Float32Array.from({ length: dimensions }, () => random() - 0.5));
function generatedVector(to: Int8Array) {
  const subject = subjects[Math.floor(random() * subjects.length)]!;
  for (let place = 0; place < dimensions; place++) to[place] = Math.round((subject[place]! + random() - 0.5) * 120);
}

function fill(path: string, count: number, perTrack = 125) {
  const file = new DatabaseSync(path);
  file.exec('pragma synchronous=off; pragma journal_mode=wal; pragma foreign_keys=off; begin');
  file.exec(
    `insert into channel (id, site, site_id, name, sort_name, added_at, refreshed_at) values ('c', 'youtube', 'c', 'C', 'c', 0, 0)`,
  );
  const video =
    file.prepare(`insert into video (id, site, site_id, channel_id, title, sort_title, description, kind, published_at, downloaded_at,
    refreshed_at, duration_seconds, size_bytes, sha256, media_path) values (?, 'youtube', ?, 'c', 't', 't', '', 'videos', 0, 0, 0, 1, 1, '', ?)`);
  const track = file.prepare(`insert into passage_track values (?, ?, 'en', '${model}', ?, ?)`);
  const passage = file.prepare(`insert into passage values (?, ?, 'en', ?, ?, '${model}', '0123456789abcdef', ?)`);
  const vector = new Int8Array(dimensions);
  for (let made = 0, number = 1; made < count; number++) {
    const id = `v${String(number).padStart(10, '0')}`;
    video.run(id, id, id);
    const here = Math.min(perTrack, count - made);
    track.run(number, id, number, here);
    for (let place = 0; place < here; place++) {
      generatedVector(vector);
      passage.run(number * passagesPerTrack + place, id, place * 30_000, place * 30_000 + 30_000, new Uint8Array(vector.buffer));
    }
    made += here;
    if (number % 500 === 0) file.exec('commit; begin');
  }
  file.exec('commit; pragma wal_checkpoint(truncate)');
  file.close();
}

async function measureSearch(count: number) {
  const path = join(folder, `${count}.db`);
  const creating = await openSqlite(path);
  await migrate(creating);
  await creating.destroy();
  fill(path, count);
  const db = await openSqlite(path);
  const files: CodeFiles = { folder: join(folder, `codes-${count}`), model };
  const name = count.toLocaleString('en');
  let began = performance.now();
  await syncCodes(db, files);
  note(`building the file of ${name} passages`, `${((performance.now() - began) / 1000).toFixed(1)} s`, '–');
  const scans: number[] = [];
  const searches: number[] = [];
  const work: number[] = [];
  let recalled = 0;
  const vector = new Int8Array(dimensions);
  const before = residentMib();
  let most = before;
  for (let question = 0; question < questions; question++) {
    generatedVector(vector);
    const cpu = process.cpuUsage();
    began = performance.now();
    await nearestCodes(files, codeOf(vector), { tracks: null, wanted: candidates });
    const used = process.cpuUsage(cpu);
    scans.push((used.user + used.system) / 1000);
    began = performance.now();
    const cpuBefore = process.cpuUsage();
    await nearestPassages(db, {
      files,
      vector,
      tracks: null,
      onVideo: (w) => w.and([]),
      leastDeviations: -99,
      unrelated: models[model].unrelatedQuestions,
      limit: 10,
    });
    searches.push(performance.now() - began);
    const ofSearch = process.cpuUsage(cpuBefore);
    work.push((ofSearch.user + ofSearch.system) / 1000);
    most = Math.max(most, residentMib());
  }
  // Exact order of all vectors, for a few questions.
  const exactQuestions = 3;
  for (let question = 0; question < exactQuestions; question++) {
    generatedVector(vector);
    const length = lengthOf(vector);
    const best: { number: number; fit: number }[] = [];
    for (let after = 0; ;) {
      const some = await db
        .selectFrom('passage')
        .select(['number', 'vector'])
        .where('number', '>', after)
        .orderBy('number')
        .limit(5000)
        .execute();
      for (const { number, vector: bytes } of some) {
        const fit = similarity(vector, length, vectorOf(bytes));
        if (best.length < 10 || fit > best.at(-1)!.fit) {
          best.push({ number, fit });
          best.sort((a, b) => b.fit - a.fit);
          best.length = Math.min(10, best.length);
        }
      }
      if (some.length < 5000) break;
      after = some.at(-1)!.number;
    }
    const found = await nearestPassages(db, {
      files,
      vector,
      tracks: null,
      onVideo: (w) => w.and([]),
      leastDeviations: -99,
      unrelated: models[model].unrelatedQuestions,
      limit: 10,
    });
    const numbers = new Set(found.map(({ number }) => number));
    recalled += best.filter(({ number }) => numbers.has(number)).length;
  }
  const [scan, search, cpuTime] = [timesOf(scans), timesOf(searches), timesOf(work)];
  const goal = count > 1_000_000 ? '≤ 400 ms' : '≤ 150 ms';
  note(`scan of ${name} codes, CPU time: median, 95 %`, `${ms(scan.p50)}, ${ms(scan.p95)} ms`, '–');
  note(`search in ${name} passages: median, 95 %`, `${ms(search.p50)}, ${ms(search.p95)} ms`, goal);
  note('… processor time of all threads: median, 95 %', `${ms(cpuTime.p50)}, ${ms(cpuTime.p95)} ms`, '–');
  note('… more memory of the server', `${(most - before).toFixed(0)} MiB`, '≤ 20 MiB');
  note('… of the exact first ten, found', `${((100 * recalled) / (10 * exactQuestions)).toFixed(0)} %`, '≥ 95 %');
  await db.destroy();
  await rm(path, { force: true });
}

/** Finds the related videos of generated transcripts: all, and then those of a hundred new ones. */
async function measureRelated(count: number) {
  const path = join(folder, `related-${count}.db`);
  const creating = await openSqlite(path);
  await migrate(creating);
  await creating.destroy();
  fill(path, count, passagesOfRelated);
  const db = await openSqlite(path);
  const videos = (count / passagesOfRelated).toLocaleString('en');
  let began = performance.now();
  while ((await addTrackVectors(db, model)) > 0);
  note(
    `vectors of ${videos} videos with ${passagesOfRelated} passages each`,
    `${((performance.now() - began) / 1000).toFixed(1)} s`,
    '–',
  );
  const before = residentMib();
  let [longest, most] = [0, before];
  let turn = performance.now();
  const turns = setInterval(() => {
    longest = Math.max(longest, performance.now() - turn);
    most = Math.max(most, residentMib());
    turn = performance.now();
  }, 0);
  const relate = async () => {
    const cpu = process.cpuUsage();
    began = performance.now();
    const done = await relateTracks(db, model, { signal: new AbortController().signal, onSaved: () => undefined });
    const { user, system } = process.cpuUsage(cpu);
    return `${done}: ${((performance.now() - began) / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s`;
  };
  note(`related videos of ${videos}: videos compared, time, processor time`, await relate(), '–');
  note('… more memory of the server', `${(most - before).toFixed(0)} MiB`, '≤ 20 MiB');
  note('… longest time until another request has its turn', `${ms(longest)} ms`, '–');
  await db.updateTable('trackVector').set({ state: 0 }).where('number', '<=', 100).execute();
  note('… of a hundred new ones', await relate(), '–');
  clearInterval(turns);
  const times: number[] = [];
  for (let call = 0; call < 100; call++) {
    began = performance.now();
    await relatedVideos(db, model, 'v0000000001');
    times.push(performance.now() - began);
  }
  note('… reading those of a video, median', `${timesOf(times).p50.toFixed(2)} ms`, '–');
  await db.destroy();
  await rm(path, { force: true });
}

/** Starts the model. */
async function openModel(python: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'reelkeep-meaning-'));
  const options = { cwd, signal: new AbortController().signal, isIdle: false };
  const embedder = await startEmbedder({ python, packages: null }, model, options);
  return {
    async embed(texts: string[], kind: 'question' | 'passage') {
      const vectors: Int8Array[] = [];
      for (let from = 0; from < texts.length; from += 32)
        vectors.push(...(await embedder.embed(texts.slice(from, from + 32), kind)).map(vectorOf));
      return vectors;
    },
    async close() {
      await embedder.close();
      await rm(cwd, { recursive: true });
    },
  };
}

const bits = (a: Uint32Array, b: Uint32Array) => {
  let count = 0;
  for (let word = 0; word < a.length; word++) for (let x = (a[word]! ^ b[word]!) >>> 0; x; x &= x - 1) count++;
  return count;
};
const percent = (count: number, all: number) => `${((100 * count) / all).toFixed(1)} %`;

/** Compares the first ten of the two steps with the first ten of all vectors, for texts that are not among them. */
async function measureRecall(python: string, texts: string) {
  const all = [...passagesOf(texts)];
  // Evenly from all files.
  const step = Math.max(1, Math.floor(all.length / (maxReal + sought)));
  const some = all.filter((_, place) => place % step === 0);
  const everyOther = Math.floor(some.length / sought);
  const questionsOf = some.filter((_, place) => place % everyOther === 0).slice(0, sought);
  const left = new Set(questionsOf);
  const passages = some.filter((text) => !left.has(text)).slice(0, maxReal);
  const embedder = await openModel(python);
  const began = performance.now();
  const vectors = await embedder.embed(passages, 'passage');
  const perSecond = passages.length / ((performance.now() - began) / 1000);
  note(`embedding ${passages.length.toLocaleString('en')} passages of 75 words`, `${perSecond.toFixed(0)}/s`, '–');
  const codes = vectors.map(codeOf);
  const counts = new Map([500, 1000, 2000, 4000].map((wanted) => [wanted, 0]));
  for (const question of await embedder.embed(questionsOf, 'question')) {
    const length = lengthOf(question);
    const code = codeOf(question);
    const fits = vectors.map((vector, at) => ({ at, fit: similarity(question, length, vector) }));
    const exact = fits.sort((a, b) => b.fit - a.fit).slice(0, 10);
    const near = codes.map((other, at) => ({ at, distance: bits(code, other) })).sort((a, b) => a.distance - b.distance);
    const rank = new Map(near.map(({ at }, place) => [at, place]));
    for (const wanted of counts.keys())
      counts.set(wanted, counts.get(wanted)! + exact.filter(({ at }) => rank.get(at)! < wanted).length);
  }
  for (const [wanted, found] of counts)
    note(
      `… of the exact first ten, among the ${wanted} nearest codes`,
      percent(found, sought * 10),
      wanted === candidates ? '≥ 95 %' : '–',
    );
  await embedder.close();
}

/** Returns whether a text is among these only once. */
function onlyOnce(texts: string[]): (text: string) => boolean {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (text) => counts.get(text) === 1;
}

/** Looks for English paragraphs with the first sentences of translated pages, in the two steps and exactly. */
async function measureLanguages(python: string) {
  const english = manualPages('');
  const translations = [...manualPages('de'), ...manualPages('fr')].map(([page]) => page);
  const { embed, close } = await openModel(python);
  // First those with a translation, then others.
  const order = new Set([...translations.filter((page) => english.has(page)), ...english.keys()]);
  const passages: { page: string; text: string }[] = [];
  // The same paragraph of several pages, such as that of `--help`, is no answer.
  const paragraphs = [...english.values()].flatMap((path) => [...new Set(pageTexts(path))]);
  const isOfOne = onlyOnce(paragraphs);
  for (const page of order) {
    if (passages.length >= maxReal) break;
    passages.push(
      ...pageTexts(english.get(page)!)
        .filter(isOfOne)
        .map((text) => ({ page, text })),
    );
  }
  const began = performance.now();
  const vectors = await embed(
    passages.map(({ text }) => text),
    'passage',
  );
  const perSecond = passages.length / ((performance.now() - began) / 1000);
  const words = passages.reduce((sum, { text }) => sum + text.split(' ').length, 0) / passages.length;
  note(`embedding ${passages.length} English passages of ${words.toFixed(0)} words`, `${perSecond.toFixed(0)}/s`, '–');
  const codes = vectors.map(codeOf);
  for (const lang of ['de', 'fr']) {
    const known = new Set(passages.map(({ page }) => page));
    const translated = [...manualPages(lang)].filter(([page]) => known.has(page));
    const firsts = translated.flatMap(([page, path]) =>
      pageTexts(path)
        .slice(0, 1)
        .map((text) => ({ page, text })),
    );
    const isOnly = onlyOnce(firsts.map(({ text }) => text));
    const first = firsts.filter(({ text }) => isOnly(text));
    const asked = await embed(
      first.map(({ text }) => text),
      'question',
    );
    let [inTen, first1, recalled] = [0, 0, 0];
    // The same share of the candidates as 2,000 of 100,000.
    const wanted = Math.max(20, Math.round(passages.length / 50));
    for (const [place, vector] of asked.entries()) {
      const length = lengthOf(vector);
      const exact = vectors.map((other, at) => ({ at, fit: similarity(vector, length, other) })).sort((a, b) => b.fit - a.fit);
      const pages = exact.slice(0, 10).map(({ at }) => passages[at]!.page);
      if (pages.includes(first[place]!.page)) inTen++;
      if (pages[0] === first[place]!.page) first1++;
      const code = codeOf(vector);
      const near = new Set(
        codes
          .map((other, at) => ({ at, distance: bits(code, other) }))
          .sort((a, b) => a.distance - b.distance)
          .slice(0, wanted)
          .map(({ at }) => at),
      );
      recalled += exact.slice(0, 10).filter(({ at }) => near.has(at)).length;
    }
    note(
      `English page of ${asked.length} pages in “${lang}”: first, first ten`,
      `${percent(first1, asked.length)}, ${percent(inTen, asked.length)}`,
      '≥ 95 %',
    );
    note(`… of the exact first ten, among the ${wanted} nearest codes`, percent(recalled, asked.length * 10), '≥ 95 %');
  }
  await close();
}

try {
  for (const size of sizes.filter((one) => one > 0)) await measureSearch(size);
  for (const size of relatedSizes.filter((one) => one > 0)) await measureRelated(size * passagesOfRelated);
  const python = process.env.REELKEEP_TEST_MEANING_PYTHON;
  if (python) await measureLanguages(python);
  const texts = process.env.REELKEEP_BENCH_TEXTS;
  if (python && texts) await measureRecall(python, texts);
  table([`search by meaning, ${cpus()[0]!.model}`, 'measured', 'goal'], rows);
} finally {
  await rm(folder, { recursive: true, force: true });
}
