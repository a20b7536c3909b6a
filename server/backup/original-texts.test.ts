import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../e2e/backups.ts';
import { comment, line, two, video } from '../../e2e/original-backup.ts';
import { catchUp } from '../search/catch-up.ts';
import { engines } from '../testing.ts';
import { writtenComments } from '../video/written-comments.ts';
import { archiveForOriginals, type ForOriginals } from '../testing-original.ts';

describe.each(engines)('texts from a backup of the original program, on $engine', (engine) => {
  let t: ForOriginals['t'];
  let ann: ForOriginals['ann'];
  let original: ForOriginals['original'];
  beforeEach(async () => void ({ t, ann, original } = await archiveForOriginals(engine)));
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

  interface Answers {
    comment_id: string;
    comment_replies: Answers[];
  }
  /** Each comment that is shown, with how deep it stands, in this order. */
  function shown(list: Answers[]) {
    const told: string[] = [];
    const open = list.map((one) => ({ one, depth: 0 })).reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const { one, depth } = next;
      told.push(`${one.comment_id} ${depth}`);
      open.push(...one.comment_replies.map((reply) => ({ one: reply, depth: depth + 1 })).reverse());
    }
    return told;
  }
  /** Comments of which each answers the one before, with a last word of somebody else to the first. */
  const chain = (length: number) => {
    let replies: object[] = [];
    for (let n = length - 1; n > 0; n--) replies = [comment(`c${n}`, { comment_replies: replies })];
    return [comment('c0', { comment_replies: [...replies, comment('aside')] }), comment('later')];
  };
  const chained = (length: number) => [...Array.from({ length }, (_, n) => `c${n} ${n}`), 'aside 1', 'later 0'];

  test('answers to answers come and are shown, however deep', async () => {
    const depth = 60;
    await original.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_comment-20260105-0.json': pairs('comment', {
        bbbbbbbbbbb: { youtube_id: 'bbbbbbbbbbb', comment_comments: chain(depth) },
      }),
    });
    expect(await original.restore()).toMatchObject({ status: 'success' });
    const answer = await ann.call('GET', '/api/video/bbbbbbbbbbb/comment/');
    expect(shown(answer.json())).toEqual(chained(depth));
    const position = t.archive.db.selectFrom('comment').select('id').orderBy('position');
    expect((await position.execute()).map(({ id }) => id)).toEqual(chained(depth).map((told) => told.split(' ')[0]));
    expect((await ann.call('GET', '/api/video/bbbbbbbbbbb/')).json()).toMatchObject({ comment_count: depth + 2 });
  });

  test('answers deeper than anybody writes break nothing', async () => {
    const depth = 20_000;
    const deep = JSON.stringify({ youtube_id: 'bbbbbbbbbbb', comment_comments: chain(depth) });
    await original.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_comment-20260105-0.json': `{"index":{"_index":"ta_comment","_id":"bbbbbbbbbbb"}}\n${deep}\n`,
    });
    expect(await original.restore()).toMatchObject({ status: 'success', result: expect.not.stringContaining('problem') });
    const bytes = (await writtenComments(t.archive.db, 'bbbbbbbbbbb'))!;
    expect(shown(JSON.parse(new TextDecoder().decode(bytes)))).toEqual(chained(depth));
  });
});
