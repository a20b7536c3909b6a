import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/acquisition.ts';
import { canBrowse, expectAccessibleAtAllWidths } from '../support/in-browser.ts';
import { film, second, third } from '../support/watch-catalogue.ts';
import { startWatching } from '../support/watching.ts';

const subjects = ['valve', 'bread', 'canal', 'violin'];
const partSeconds = 240;

/** Vectors of eight bits a number that are alike within a subject. */
function vectorOf(subject: number, noise: number): Uint8Array {
  let seed = subject * 7919 + 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  const base = Array.from({ length: 512 }, random);
  seed = noise + 104_729;
  return new Uint8Array(Int8Array.from(base, (one) => Math.round(100 * one + 50 * random())).buffer);
}

describe.runIf(canBrowse)('generated chapters', () => {
  let watcher: Awaited<ReturnType<typeof startWatching>>;
  let page: Page;
  let address: string;

  /** Replaces the file of a video by one as long as the talk. */
  function lengthen(id: string) {
    const seconds = String(subjects.length * partSeconds);
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    const row = db.prepare('select media_path from video where id = ?').get(id) as { media_path: string };
    db.prepare('update video set duration_seconds = ? where id = ?').run(Number(seconds), id);
    db.close();
    const picture = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=2:duration=${seconds}`];
    const sound = ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac', '-shortest'];
    const path = join(watcher.folder, 'media', row.media_path);
    execFileSync(process.env.REELKEEP_FFMPEG ?? 'ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...codecs, path]);
  }
  /** Writes the transcript of a talk about several subjects. */
  function addTalk(id: string) {
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    db.prepare('delete from subtitle where video_id = ?').run(id);
    db.prepare("insert into subtitle (video_id, lang, source, name, path) values (?, 'en', 'user', 'English', ?)").run(
      id,
      `${id}.talk.vtt`,
    );
    const line = db.prepare(
      "insert into transcript_line (video_id, lang, position, start_seconds, end_seconds, text) values (?, 'en', ?, ?, ?, ?)",
    );
    db.prepare('delete from transcript_line where video_id = ?').run(id);
    const lines = (subjects.length * partSeconds) / 5;
    for (let place = 0; place < lines; place++) {
      const subject = subjects[Math.floor((place * 5) / partSeconds)]!;
      const text = place % 2 ? `and then the old ${subject} is there` : `so this is what a new ${subject} wheel does`;
      line.run(id, place, place * 5, place * 5 + 5, text);
    }
    db.close();
  }
  /** Adds the vectors of a model, after the words were indexed. */
  async function addPassages(id: string, number: number) {
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    try {
      const source = db.prepare('select max(number) as newest from search_track where video_id = ?');
      await eventually(() => Promise.resolve(source.get(id)?.newest !== null));
      const count = (subjects.length * partSeconds) / 30;
      db.prepare(
        "insert into passage_track (number, video_id, lang, model, source, passages) values (?, ?, 'en', 'use-m3', ?, ?)",
      ).run(number, id, source.get(id)!.newest as number, count);
      const passage = db.prepare(
        "insert into passage (number, video_id, lang, start_ms, end_ms, model, mark, vector) values (?, ?, 'en', ?, ?, 'use-m3', ?, ?)",
      );
      for (let place = 0; place < count; place++) {
        const vector = vectorOf(Math.floor((place * 30) / partSeconds), place);
        passage.run(number * 4096 + place, id, place * 30_000, place * 30_000 + 30_000, String(place), vector);
      }
    } finally {
      db.close();
    }
  }

  beforeAll(async () => {
    watcher = await startWatching();
    ({ page, address } = watcher);
    await watcher.visitor.call('POST', '/api/appsettings/config/', { meaning: { enabled: true } });
    lengthen(second.id);
    for (const [place, id] of [film.id, second.id].entries()) {
      addTalk(id);
      await addPassages(id, place + 1);
    }
  });
  afterAll(() => watcher.close());

  const openSettings = () => page.goto(`${address}/settings/application/transcripts/#chapters`);
  const section = () => page.getByRole('region', { name: 'Generated chapters' });

  test('the settings say how good they would be, and why they cannot be turned on', async () => {
    await openSettings();
    await section().getByText('It is not known yet how good generated chapters are in this archive.').waitFor();
    await section().getByRole('button', { name: 'Evaluate' }).click();
    await section().getByText('The evaluation found no videos with chapters of the site').waitFor();
    const generate = section().getByRole('switch', { name: 'Generate chapters' });
    await generate.click();
    // Above, and at the switch.
    await expect.poll(() => section().getByText('It needs 20.').count()).toBe(2);
    expect(await generate.isChecked()).toBe(false);
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
  });

  test('turned on, the page of a video shows and plays them', async () => {
    // An archive with enough of them.
    const db = new DatabaseSync(join(watcher.folder, 'reelkeep.db'), { timeout: 10_000 });
    const evaluation = { videos: 43, found: 0.547, even: 0.208, model: 'use-m3', evaluated_at: 1_795_900_000 };
    db.prepare("update setting set value = ? where name = 'service.chapters'").run(JSON.stringify(evaluation));
    db.close();
    await openSettings();
    await section().getByText('54% of chapter starts found within 15 s, evenly spaced ones: 21%.').waitFor();
    await section().getByRole('switch', { name: 'Generate chapters' }).click();
    await section().getByText('1 video with generated chapters.').waitFor();
    await page.goto(`${address}/video/${second.id}/`);
    const chapters = page.getByRole('region', { name: 'Chapters' });
    await chapters.getByText('Generated', { exact: true }).waitFor();
    await chapters.getByText('From the transcript. They can be wrong.').waitFor();
    const entries = chapters.getByRole('listitem');
    expect(await entries.count()).toBe(4);
    for (const [place, subject] of subjects.entries()) expect(await entries.nth(place).textContent()).toContain(subject);
    await expectAccessibleAtAllWidths(page);
    const time = () => page.evaluate<number>("document.querySelector('video').currentTime");
    await entries.nth(1).getByRole('button').click();
    await expect.poll(time).toBeGreaterThanOrEqual(partSeconds);
    // The keys for chapters take them too.
    await page.keyboard.press('Control+ArrowRight');
    await expect.poll(time).toBeGreaterThanOrEqual(2 * partSeconds);
  });

  test('chapters of the site are not marked', async () => {
    await page.goto(`${address}/video/${film.id}/`);
    const chapters = page.getByRole('region', { name: 'Chapters' });
    await chapters.getByText('Weir').waitFor();
    expect(await chapters.getByText('Generated').count()).toBe(0);
    await page.goto(`${address}/video/${third.id}/`);
    await page.getByRole('heading', { name: third.title }).waitFor();
    expect(await chapters.count()).toBe(0);
  });

  test('in German', async () => {
    await page.addInitScript("localStorage.setItem('language', 'de')");
    await page.goto(`${address}/video/${second.id}/`);
    await page.getByText('Aus dem Transkript. Sie können falsch sein.').waitFor();
    await page.goto(`${address}/settings/application/transcripts/#chapters`);
    await page.getByText(/54\s%\sder Kapitelanfänge auf 15 s genau gefunden, gleichmäßig verteilte: 21\s%\./).waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessibleAtAllWidths(page);
  });
});
