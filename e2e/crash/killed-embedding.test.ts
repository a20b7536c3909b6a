import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Meaning } from '#contract/meaning.ts';
import { hasTools } from '../support/acquisition.ts';
import type { ApiClient } from '../support/program.ts';
import { second, third } from '../support/watch-catalogue.ts';
import { startRivers } from '../support/watching.ts';

const { REELKEEP_TEST_MEANING_PYTHON: python } = process.env;
const passagesOfVideo = 400;
const patience = { timeout: 90_000, interval: 100 };

interface Row {
  number: number;
  videoId: string;
}

describe.runIf(hasTools && python)('a server that is killed while it embeds', () => {
  test('keeps what it has saved, and completes the index as if nothing had happened', { timeout: 600_000 }, async () => {
    const rivers = await startRivers({ REELKEEP_MODELS_PYTHON: python! });
    onTestFinished(() => rivers.close());
    const db = new DatabaseSync(join(rivers.folder, 'reelkeep.db'), { timeout: 10_000 });
    onTestFinished(() => db.close());
    db.exec('begin immediate');
    for (const { id } of [second, third]) {
      db.prepare(
        "insert into subtitle (video_id, lang, source, name, path) values (?, 'en', 'user', 'English', ?) on conflict do nothing",
      ).run(id, `${id}.en.vtt`);
      const line = db.prepare(
        "insert into transcript_line (video_id, lang, position, start_seconds, end_seconds, text) values (?, 'en', ?, ?, ?, ?)",
      );
      for (let place = 0; place < passagesOfVideo; place++)
        line.run(
          id,
          place,
          place * 40,
          place * 40 + 35,
          `Lock ${place} of ${id}: the gates are closed, and the boat rises with the water.`,
        );
    }
    db.exec('commit');
    const rows = () =>
      db
        .prepare(
          'select number, video_id as videoId, start_ms as startMs, mark, hex(vector) as vector from passage order by video_id, start_ms',
        )
        .all() as unknown as Row[];
    const isDone = async (visitor: ApiClient) => {
      const { queue, passages } = (await visitor.call('GET', '/api/meaning/')).json as Meaning;
      return queue === 0 && passages >= 2 * passagesOfVideo;
    };
    await rivers.visitor.call('POST', '/api/appsettings/config/', { meaning: { enabled: true } });
    await expect.poll(() => rows().length, patience).toBeGreaterThan(0);
    const visitor = await rivers.killAndRestart();
    const saved = rows();
    expect(saved.length).toBeLessThan(2 * passagesOfVideo);
    await expect.poll(() => isDone(visitor), patience).toBe(true);
    const all = rows();
    // Numbers are new for what is embedded again.
    const numbers = new Set(all.map(({ number }) => number));
    expect(saved.filter(({ number }) => !numbers.has(number))).toEqual([]);
    await visitor.call('POST', '/api/meaning/rebuild/');
    await expect.poll(() => isDone(visitor), patience).toBe(true);
    const withoutNumber = (row: Row) => ({ ...row, number: 0 });
    expect(rows().map(withoutNumber)).toEqual(all.map(withoutNumber));
  });
});
