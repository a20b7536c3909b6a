import { renderMessages } from '#server/platform/messages/render.ts';
import { parseMessages } from '#server/platform/messages/stored.ts';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/platform/config/data-folder.ts';
import { aCatalogue, aVideo } from '../../test-site/builders.ts';
import { createArchive, inconsistencies, hasTools, videoOf, type TestSiteArchive } from '../support/acquisition.ts';
import { channel, createImportSources, namesIn, seconds } from '../support/importing.ts';
import { embedDocument } from '../support/tubearchivist-atom.ts';

const id = 'embeddedVi1';
const gone = aVideo({ id, channelId: channel.id, title: 'Gone', durationSeconds: seconds, fails: 'deleted' });

const document = {
  video: {
    youtube_id: id,
    title: 'Über den Fluss',
    description: 'Over the river.',
    published: 1_690_000_000,
    date_downloaded: 1_695_000_000,
    vid_type: 'streams',
    category: ['Travel'],
    tags: ['train'],
    stats: { view_count: 7, like_count: 3, dislike_count: 0, average_rating: 0 },
    player: { watched: true, watched_date: 1_696_000_000, duration: seconds, duration_str: '4s' },
    channel: { channel_id: channel.id, channel_name: channel.name, channel_subs: 12, channel_subscribed: true },
  },
  comments: [
    {
      comment_id: 'c1',
      comment_parent: 'root',
      comment_text: 'I was there',
      comment_author: '@ann',
      comment_timestamp: 1_690_000_100,
      comment_likecount: 2,
    },
  ],
  // Longer than the output limit of other programs.
  subtitles: [{ subtitle_line: 'word '.repeat(400_000) }],
  playlists: null,
  version: 'v0.5.10',
};
const expectedVideo = {
  title: 'Über den Fluss',
  description: 'Over the river.',
  published: '2023-07-22T04:26:40+00:00',
  date_downloaded: 1_695_000_000,
  vid_type: 'streams',
  category: ['Travel'],
  tags: ['train'],
  channel: { channel_id: channel.id, channel_name: channel.name, channel_subs: 12, channel_subscribed: false },
  stats: { view_count: 7, like_count: 3 },
  player: { watched: false },
  comment_count: 1,
};

describe.runIf(hasTools)('metadata embedded by TubeArchivist', () => {
  let t: TestSiteArchive;
  let sources: Awaited<ReturnType<typeof createImportSources>>;
  let film: Buffer;
  beforeAll(async () => {
    sources = await createImportSources();
    film = await readFile(sources.at('whole.mp4'));
  });
  afterAll(() => sources.remove());
  beforeEach(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [gone] }));
  });
  afterEach(async () => {
    expect(await inconsistencies(t)).toEqual([]);
    await t.close();
  });

  async function run(path: string, body: object) {
    const { task_id: task } = (await t.staff.call('POST', path, body)).json() as { task_id: string };
    await t.runner.idle();
    const row = await t.app.db.selectFrom('task').select(['result', 'messages']).where('id', '=', task).executeTakeFirstOrThrow();
    return { result: row.result && renderMessages(parseMessages(row.result)), lines: row.messages };
  }
  const commentsOf = async () => (await t.staff.call('GET', `/api/video/${id}/comment/`)).json();

  test.each([{ prefer_local: true }, {}])('is read by an import: %j', async (body) => {
    const folder = importFolder(t.app.config);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'No name at all.mp4'), embedDocument(film, document));
    const dryRun = await run('/api/appsettings/manual-import/', { ...body, dry_run: true });
    expect(dryRun.result).toContain('by embedded TubeArchivist metadata');
    expect((await run('/api/appsettings/manual-import/', body)).result).toBe('Imported 1 video.');
    expect(await videoOf(t, id)).toMatchObject(expectedVideo);
    expect(await commentsOf()).toEqual([expect.objectContaining({ comment_text: 'I was there', comment_likecount: 2 })]);
    expect(await namesIn(folder)).toEqual([]);
  });

  test('falls back to other means for invalid metadata', async () => {
    const folder = importFolder(t.app.config);
    await mkdir(folder, { recursive: true });
    for (const [index, invalid] of [
      '{',
      '[]',
      '{"video":{"youtube_id":"../../etc"}}',
      '{"video":{"youtube_id":"toolong-for-an-id"}}',
    ].entries())
      await writeFile(join(folder, `Odd ${index}.mp4`), embedDocument(film, invalid));
    const { result, lines } = await run('/api/appsettings/manual-import/', { prefer_local: true });
    expect(result).toBe('Imported 0 videos. 4 files were left in place.');
    expect(lines).toContain('TubeArchivist');
    expect((await namesIn(folder)).length).toBe(4);
  });

  test.each([{ prefer_local: true }, {}])('restores a video from its file in a rescan: %j', async (body) => {
    const folder = join(t.app.config.mediaFolder, channel.id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${id}.mp4`), embedDocument(film, document));
    expect((await run('/api/appsettings/rescan-filesystem/', body)).result).toContain('1 new');
    expect(await videoOf(t, id)).toMatchObject({ ...expectedVideo, media_url: `/youtube/${channel.id}/${id}.mp4` });
    expect(await commentsOf()).toEqual([expect.objectContaining({ comment_text: 'I was there' })]);
  });
});
