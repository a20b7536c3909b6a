import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { importFolder } from '#server/data-folder.ts';
import { recoverIncoming } from '#server/download/recover.ts';
import { importAll } from '#server/library/import-folder.ts';
import { ImportInput } from '#server/library/importing.ts';
import { missingFile } from '#server/library/missing-file.ts';
import { incomingFolder } from '#server/media/shelf.ts';
import { aQueueItem, aUser, engines, testArchive } from '#server/testing.ts';
import { complaints, hasTools } from './acquiring.ts';
import { channel, infoOf, makeReadOnly, namesIn, importTools } from './importing.ts';

describe.runIf(hasTools).each(engines)('an import that is cut off, on $engine', (on) => {
  let t: Awaited<ReturnType<typeof testArchive>>;
  let staff: Awaited<ReturnType<typeof aUser>>;
  let shop: Awaited<ReturnType<typeof importTools>>;
  let folder: string;
  const id = 'offlineVid1';
  const input = ImportInput.parse({ prefer_local: true });
  const aWork = (signal = new AbortController().signal) => {
    const skipped: string[] = [];
    const skip = (what: string, why: unknown) =>
      void skipped.push(`${what}: ${why instanceof Error ? why.message : String(why)}`);
    return { id: 'work', input, againSince: null, signal, report: () => {}, note: () => {}, skip, skipped };
  };
  const shelved = () => join(t.archive.config.mediaFolder, channel.id, `${id}.mp4`);
  const originals = [`A title [${id}].info.json`, `A title [${id}].mp4`];
  const incoming = () => readdir(incomingFolder(t.archive.config.mediaFolder));
  async function expectWhole() {
    expect(await namesIn(folder)).toEqual([]);
    expect(await readFile(shelved())).toEqual(await readFile(shop.at('whole.mp4')));
    expect((await staff.call('GET', '/api/video/')).json().data).toMatchObject([{ youtube_id: id }]);
    expect(await incoming()).toEqual([]);
    expect(await complaints(t)).toEqual([]);
  }

  beforeAll(async () => {
    shop = await importTools();
  });
  afterAll(() => shop.remove());
  beforeEach(async () => {
    t = await testArchive({ on, withTools: true });
    t.archive.tools.ytdlp = null; // nothing here needs a site
    staff = await aUser(t, { isStaff: true });
    folder = importFolder(t.archive.config);
    await copyFile(shop.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
  });
  afterEach(() => t.close());

  test('between the shelf and the removal of the originals is finished by the next, and removes no more than them', async () => {
    const stop = new AbortController();
    const announce: typeof t.archive.announce = (...rooms) => {
      if (rooms.includes('video')) stop.abort(new Error('killed')); // the last thing that the way to the shelf does
    };
    await expect(importAll({ ...t.archive, announce }, aWork(stop.signal))).rejects.toThrow('killed');
    expect(await namesIn(folder)).toEqual(originals);
    expect((await stat(shelved())).ino).toBe((await stat(join(folder, originals[1]!))).ino); // linked, not copied
    expect(await complaints(t)).toEqual([]);
    expect(await importAll(t.archive, aWork())).toBe('There is nothing in the import folder.');
    await expectWhole();
  });

  test('before the manifest leaves the queue, the shelf and the folder as they were', async () => {
    const stop = new AbortController();
    const work = { ...aWork(stop.signal), report: ({ messages }: { messages: string[] }) => messages.includes('Bringing it in.') && stop.abort(new Error('killed')) }; // prettier-ignore
    await expect(importAll(t.archive, { ...work, report: (now) => void work.report(now) })).rejects.toThrow('killed');
    expect(await namesIn(folder)).toEqual(originals);
    expect(await incoming()).toEqual([]);
    expect(await t.archive.db.selectFrom('download').selectAll().execute()).toEqual([]);
    await importAll(t.archive, aWork());
    await expectWhole();
  });

  test('by a kill after the link is begun anew in the same place', async () => {
    await aQueueItem(t.archive.db, { id, failure: 'unknown', message: 'Its file is being brought in.' });
    const { number } = await t.archive.db.selectFrom('download').select('number').executeTakeFirstOrThrow();
    const place = join(incomingFolder(t.archive.config.mediaFolder), String(number));
    await mkdir(place);
    await writeFile(join(place, 'media.mp4'), 'half of a copy');
    await recoverIncoming(t.archive);
    await importAll(t.archive, aWork());
    await expectWhole();
  });

  test.each(['the next import', 'the next start'])('after the manifest is finished by %s', async (who) => {
    await mkdir(dirname(shelved()), { recursive: true });
    await writeFile(shelved(), 'of somebody else');
    const work = aWork();
    expect(await importAll(t.archive, work)).toBe('Brought in 0 videos. 1 was left where it is.');
    expect(work.skipped).toEqual([expect.stringMatching(/Another file stands at .*offlineVid1\.mp4 already\./)]);
    expect(await namesIn(folder)).toEqual(originals);
    expect(await readFile(shelved(), 'utf8')).toBe('of somebody else');
    await rm(shelved());
    if (who === 'the next start') await recoverIncoming(t.archive);
    await importAll(t.archive, aWork());
    await expectWhole();
  });

  test('does not touch what was put in its place meanwhile', async () => {
    const stop = new AbortController();
    const announce: typeof t.archive.announce = (...rooms) => rooms.includes('video') && stop.abort(new Error('killed'));
    await expect(importAll({ ...t.archive, announce }, aWork(stop.signal))).rejects.toThrow('killed');
    await rm(join(folder, originals[1]!));
    await writeFile(join(folder, originals[1]!), 'another film');
    await importAll(t.archive, aWork());
    expect(await namesIn(folder)).toEqual([originals[1]]);
    expect(await complaints(t)).toEqual([]);
  });

  test('what an MKV carries of itself is enough', async () => {
    await copyFile(shop.at('inside.mkv'), join(folder, 'No name at all.mkv'));
    expect(await importAll(t.archive, aWork())).toBe('Brought in 2 videos.');
    expect((await staff.call('GET', '/api/video/insideVide1/')).json()).toMatchObject({
      title: 'Told by itself',
      media_url: `/youtube/${channel.id}/insideVide1.mp4`,
    });
    const beside = join(dirname(shelved()), 'insideVide1.info.json');
    expect(await readFile(beside)).toEqual(await readFile(shop.at('info.json')));
    expect(await namesIn(folder)).toEqual([]);
    expect(await complaints(t)).toEqual([]);
  });

  test('what is downloaded right now is not brought in beside', async () => {
    await aQueueItem(t.archive.db, { id });
    await t.archive.db
      .updateTable('download')
      .set({ leasedBy: 'somebody', leaseUntil: t.archive.now() + 60 })
      .execute();
    const work = aWork();
    await importAll(t.archive, work);
    expect(work.skipped).toEqual([`A title [${id}].mp4: It is being downloaded right now.`]);
    await t.archive.db.updateTable('download').set({ leaseUntil: 0 }).execute();
    await importAll(t.archive, aWork());
    await expectWhole();
  });

  test('a video that is here without its file gets it, and keeps what else was here of it', async () => {
    await importAll(t.archive, aWork());
    await t.archive.db
      .insertInto('subtitle')
      .values({ videoId: id, lang: 'en', source: 'user', name: 'English', path: `${channel.id}/${id}.en.vtt` })
      .execute();
    await writeFile(join(dirname(shelved()), `${id}.en.vtt`), 'WEBVTT\n');
    await t.archive.db.updateTable('video').set({ downloadedAt: 1_234_567_890, damage: missingFile }).execute();
    await rm(shelved());
    await copyFile(shop.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    await writeFile(join(folder, `A title [${id}].info.json`), infoOf(id));
    const looking = { ...aWork(), input: { ...input, dry_run: true } };
    expect(await importAll(t.archive, looking)).toMatch(/^Would bring in 1 video/);
    expect(await importAll(t.archive, aWork())).toBe('Brought in 1 video.');
    await expectWhole();
    const video = (await staff.call('GET', `/api/video/${id}/`)).json();
    expect(video).toMatchObject({ date_downloaded: 1_234_567_890, subtitles: [{ lang: 'en' }] });
    expect(video).not.toHaveProperty('damage');
  });

  test('of one that is here without its file, and of which nobody tells anything more, it is said where the file belongs', async () => {
    await importAll(t.archive, aWork());
    await rm(shelved());
    await copyFile(shop.at('whole.mp4'), join(folder, `A title [${id}].mp4`));
    const work = aWork();
    await importAll(t.archive, work);
    expect(work.skipped).toEqual([
      expect.stringMatching(
        new RegExp(
          `It is known here without its file: put it into the media folder as ${channel.id}/${id}\\.mp4, and start “Rescan filesystem” under Settings, Actions\\.$`,
        ),
      ),
    ]);
    await rename(join(folder, `A title [${id}].mp4`), shelved());
    await expectWhole();
  });

  test('a folder that may only be read is brought in, and says that nothing can be removed', async (context) => {
    const writableAgain = await makeReadOnly(folder);
    if (!writableAgain) return context.skip('this system does not let a folder be made read-only');
    try {
      const work = aWork();
      expect(await importAll(t.archive, work)).toBe('Brought in 1 video.');
      expect(work.skipped).toEqual([
        expect.stringMatching(/It is in the archive now, but cannot be removed .*\((EROFS|EACCES)\)\.$/),
      ]);
      expect(await importAll(t.archive, aWork())).toBe('Brought in 0 videos. 1 video is in the archive already.');
      expect(await complaints(t)).toEqual([]);
    } finally {
      await writableAgain();
    }
    await importAll(t.archive, aWork());
    await expectWhole();
  });
});
