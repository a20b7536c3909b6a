import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pairs } from '../../../../e2e/support/backups.ts';
import { comment, line, two, video } from '../../../../e2e/support/original-backup.ts';
import { indexPending } from '../../search/index/index-pending.ts';
import { engines } from '../../../test-support/app.ts';
import { serializedComments } from '../../../archive/video-json/comments-json.ts';
import { createAppForImport, type AppForImport } from '../../../test-support/tubearchivist.ts';

describe.each(engines)('texts from a TubeArchivist backup, on $engine', (engine) => {
  let t: AppForImport['t'];
  let ann: AppForImport['ann'];
  let backup: AppForImport['backup'];
  beforeEach(async () => void ({ t, ann, backup } = await createAppForImport(engine)));
  afterEach(() => t.close());

  test('imports transcripts as fragments with their times', async () => {
    const timestamp = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.500`;
    const lines = Object.fromEntries(
      Array.from({ length: 11 }, (_, place) => [
        `bbbbbbbbbbb-en-${place + 1}`,
        line('bbbbbbbbbbb', place + 1, {
          subtitle_line: `talk of thing${place + 1}\nand more`,
          subtitle_start: timestamp(place * 4),
          subtitle_end: timestamp(place * 4 + 3),
        }),
      ]),
    );
    const invalidLines = Object.fromEntries(
      [0, 16_384, undefined].map((index) => [
        `strange-${index}`,
        line('bbbbbbbbbbb', 1, { subtitle_index: index, subtitle_line: 'strange' }),
      ]),
    );
    await backup.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_subtitle-20260105-0.json': pairs('subtitle', { ...lines, ...invalidLines }),
    });
    const task = await backup.restore();
    expect([task.status, task.result]).toEqual(['success', expect.stringMatching(/11 subtitle lines.*3 problems/)]);
    expect(task.messages).toContain('"restore.subtitle-without-number","params":{"count":16383}');
    const found = async (query: string) => {
      await indexPending(t.app.db);
      const { results } = (await ann.call('GET', `/api/search/?query=${encodeURIComponent(`full: ${query} fuzzy:no`)}`)).json();
      return results.fulltext_results as Record<string, unknown>[];
    };
    expect(await found('thing5')).toMatchObject([
      {
        subtitle_fragment_id: 'bbbbbbbbbbb-en-5',
        subtitle_index: 5,
        subtitle_start: timestamp(16),
        subtitle_end: timestamp(19),
        subtitle_line: 'talk of <span class="settings-current">thing5</span> and more',
        subtitle_source: 'auto',
      },
    ]);
    for (const index of [1, 4, 6, 11])
      expect((await found(`thing${index}`)).map((hit) => hit['subtitle_fragment_id'])).toEqual([`bbbbbbbbbbb-en-${index}`]);
    expect(await found('strange')).toEqual([]);

    // A subtitle file is added, which contains every cue.
    await mkdir(join(t.app.config.mediaFolder, two), { recursive: true });
    await writeFile(
      join(t.app.config.mediaFolder, two, 'bbbbbbbbbbb.en.vtt'),
      'WEBVTT\n\n00:01.000 --> 00:02.000\neach cue\n\n00:03.000 --> 00:04.000\nby itself\n',
    );
    await backup.restore();
    expect([await found('thing5'), await found('cue')]).toMatchObject([
      [],
      [{ subtitle_line: expect.stringContaining('itself') }],
    ]);
    expect((await backup.restore()).result).toContain('11 subtitle lines (11 already existed)');
  });

  interface CommentJson {
    comment_id: string;
    comment_replies: CommentJson[];
  }
  /** Returns the ids of all comments in display order, each with its nesting depth. */
  function flattenComments(list: CommentJson[]) {
    const visited: string[] = [];
    const open = list.map((one) => ({ one, depth: 0 })).reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const { one, depth } = next;
      visited.push(`${one.comment_id} ${depth}`);
      open.push(...one.comment_replies.map((reply) => ({ one: reply, depth: depth + 1 })).reverse());
    }
    return visited;
  }
  /** Returns comments of which each replies to the previous one, plus a second reply to the first. */
  const nestedComments = (length: number) => {
    let replies: object[] = [];
    for (let n = length - 1; n > 0; n--) replies = [comment(`c${n}`, { comment_replies: replies })];
    return [comment('c0', { comment_replies: [...replies, comment('aside')] }), comment('later')];
  };
  const expectedComments = (length: number) => [...Array.from({ length }, (_, n) => `c${n} ${n}`), 'aside 1', 'later 0'];

  test('imports and shows nested replies of any depth', async () => {
    const depth = 60;
    await backup.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_comment-20260105-0.json': pairs('comment', {
        bbbbbbbbbbb: { youtube_id: 'bbbbbbbbbbb', comment_comments: nestedComments(depth) },
      }),
    });
    expect(await backup.restore()).toMatchObject({ status: 'success' });
    const response = await ann.call('GET', '/api/video/bbbbbbbbbbb/comment/');
    expect(flattenComments(response.json())).toEqual(expectedComments(depth));
    const commentIds = t.app.db.selectFrom('comment').select('id').orderBy('position');
    expect((await commentIds.execute()).map(({ id }) => id)).toEqual(expectedComments(depth).map((entry) => entry.split(' ')[0]));
    expect((await ann.call('GET', '/api/video/bbbbbbbbbbb/')).json()).toMatchObject({ comment_count: depth + 2 });
  });

  test('accepts extremely nested replies', async () => {
    const depth = 20_000;
    const document = JSON.stringify({ youtube_id: 'bbbbbbbbbbb', comment_comments: nestedComments(depth) });
    await backup.write({
      'es_video-20260105-0.json': pairs('video', { bbbbbbbbbbb: video('bbbbbbbbbbb', two) }),
      'es_comment-20260105-0.json': `{"index":{"_index":"ta_comment","_id":"bbbbbbbbbbb"}}\n${document}\n`,
    });
    expect(await backup.restore()).toMatchObject({ status: 'success', result: expect.not.stringContaining('problem') });
    const bytes = (await serializedComments(t.app.db, 'bbbbbbbbbbb'))!;
    expect(flattenComments(JSON.parse(new TextDecoder().decode(bytes)))).toEqual(expectedComments(depth));
  });
});
