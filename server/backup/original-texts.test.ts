import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../e2e/backups.ts';
import { line, two, video } from '../../e2e/original-backup.ts';
import { catchUp } from '../search/catch-up.ts';
import { aUser, engines, testArchive, type TestArchive } from '../testing.ts';
import { originalsFor } from '../testing-original.ts';

describe.each(engines)('texts from a backup of the original program, on $engine', (engine) => {
  let t: TestArchive;
  let ann: Awaited<ReturnType<typeof aUser>>;
  let original: Awaited<ReturnType<typeof originalsFor>>;
  beforeEach(async () => {
    t = await testArchive({ on: engine, onDisk: true });
    await t.runner.begin();
    ann = await aUser(t, { name: 'Ann', isStaff: true });
    original = await originalsFor(t, ann.id);
  });
  afterEach(() => t.close());

  test('what is spoken is found as the fragment that it was there, with its own time', async () => {
    const clock = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.500`;
    const spoken = Object.fromEntries(
      Array.from({ length: 11 }, (_, place) => [
        `bbbbbbbbbbb-en-${place + 1}`,
        line('bbbbbbbbbbb', place + 1, {
          subtitle_line: `talk of thing${place + 1}\nand more`,
          subtitle_start: clock(place * 4),
          subtitle_end: clock(place * 4 + 3),
        }),
      ]),
    );
    const strange = Object.fromEntries(
      [0, 16_384, undefined].map((index) => [
        `strange-${index}`,
        line('bbbbbbbbbbb', 1, { subtitle_index: index, subtitle_line: 'strange' }),
      ]),
    );
    await original.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_subtitle-20260105-0.json': pairs('subtitle', { ...spoken, ...strange }),
    });
    const said = await original.restore();
    expect([said.status, said.result]).toEqual(['success', expect.stringMatching(/11 subtitle lines.*3 problems/)]);
    expect(said.messages).toContain('The subtitle does not say which one it is, from 1 to 16383.');
    const found = async (query: string) => {
      await catchUp(t.archive.db);
      const { results } = (await ann.call('GET', `/api/search/?query=${encodeURIComponent(`full: ${query} fuzzy:no`)}`)).json();
      return results.fulltext_results as Record<string, unknown>[];
    };
    expect(await found('thing5')).toMatchObject([
      {
        subtitle_fragment_id: 'bbbbbbbbbbb-en-5',
        subtitle_index: 5,
        subtitle_start: clock(16),
        subtitle_end: clock(19),
        subtitle_line: 'talk of <span class="settings-current">thing5</span> and more',
        subtitle_source: 'auto',
      },
    ]);
    for (const index of [1, 4, 6, 11])
      expect((await found(`thing${index}`)).map((hit) => hit['subtitle_fragment_id'])).toEqual([`bbbbbbbbbbb-en-${index}`]);
    expect(await found('strange')).toEqual([]);

    // The file came since: it knows every cue.
    await mkdir(join(t.archive.config.mediaFolder, two), { recursive: true });
    await writeFile(
      join(t.archive.config.mediaFolder, two, 'bbbbbbbbbbb.en.vtt'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\neach cue\n\n00:03.000 --> 00:04.000\nby itself\n',
    );
    await original.restore();
    expect([await found('thing5'), await found('cue')]).toMatchObject([
      [],
      [{ subtitle_line: expect.stringContaining('itself') }],
    ]);
    expect((await original.restore()).result).toContain('11 subtitle lines (11 were here)');
  });
});
