import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { message } from '#contract/messages.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { pollFeeds } from '#server/features/subscription/poll-feeds.ts';
import { rescanFilesystem } from '#server/features/library/consistency/rescan.ts';
import { renderMessages } from '#server/platform/messages/render.ts';
import { testApp } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../test-site/builders.ts';
import { startTestSite } from '../test-site/site.ts';
import { createArchive, testSiteEnv } from '../e2e/support/acquisition.ts';
import { logInToProgram } from '../e2e/support/program.ts';
import { residentMib, stop, timedStart } from './program.ts';

const entries = 20_000;

/** Enqueues a channel listing of 20,000 videos. Returns entries per second and the peak memory of the server in MiB. */
export async function longListing(folder: string) {
  const channel = aChannel({ name: 'Endless' });
  const videos = Array.from({ length: entries }, (_, n) =>
    aVideo({ id: `endles${String(n).padStart(5, '0')}`, channelId: channel.id, title: `Part ${n}` }),
  );
  const testSite = await startTestSite({ catalogue: aCatalogue({ channels: [channel], videos }) });
  const { program, address } = await timedStart(join(folder, 'listing'), testSiteEnv(testSite));
  const { call } = await logInToProgram(address);
  const begin = performance.now();
  await call('POST', '/api/download/?flat=true', { data: [{ youtube_id: `${channel.handle}/videos`, status: 'pending' }] });
  let peak = 0;
  const busy = async () =>
    ((await call('GET', '/api/notification/?filter=download')).json as { api_stop: boolean }[]).some((one) => one.api_stop);
  do {
    peak = Math.max(peak, (await residentMib(program)) ?? 0);
    await wait(200);
  } while (await busy());
  const seconds = (performance.now() - begin) / 1000;
  const { paginate } = (await call('GET', '/api/download/?filter=pending')).json as { paginate: { total_hits: number } };
  await stop(program);
  await testSite.close();
  if (paginate.total_hits !== entries) throw new Error(`${paginate.total_hits} of ${entries} entries were queued.`);
  return { perSecond: entries / seconds, peakMib: peak };
}

/** Returns the time in milliseconds from reading a feed with a new upload until the upload is in the queue. */
export async function feedToQueue(): Promise<number | null> {
  const channel = aChannel({ name: 'Prompt' });
  const videos = Array.from({ length: 60 }, (_, n) =>
    aVideo({ id: `promptV${String(n).padStart(4, '0')}`, channelId: channel.id }),
  );
  const t = await createArchive(aCatalogue({ channels: [channel], videos }));
  try {
    if (!t.app.tools.ytdlp) return null;
    await t.staff.call('POST', '/api/appsettings/config/', { subscriptions: { extract_flat: true } });
    await t.staff.call('POST', '/api/channel/', { data: [{ channel_id: channel.id, channel_subscribed: true }] });
    await t.runner.idle();
    await t.staff.call('POST', '/api/task/by-name/update_subscribed/');
    await t.runner.idle();
    t.testSite.catalogue.videos.push(aVideo({ id: 'promptFresh', channelId: channel.id, published: new Date() }));
    const begin = performance.now();
    await pollFeeds(t.app);
    while ((await t.staff.call('GET', '/api/download/promptFresh/')).statusCode !== 200) await wait(20);
    return performance.now() - begin;
  } finally {
    await t.close();
  }
}

const files = 100_000;
const perFolder = 500;

/** Compares a library of 100,000 videos with its files. Returns the seconds and the additional memory in MiB. */
export async function largeRescan(): Promise<{ seconds: number; grownMib: number }> {
  const t = await testApp();
  const { db, config } = t.app;
  try {
    for (let first = 0; first < files; first += perFolder) {
      const channelId = `UClarge${String(first).padStart(17, '0')}`;
      await mkdir(join(config.mediaFolder, channelId), { recursive: true });
      const row = {
        id: channelId,
        site: 'youtube',
        siteId: channelId,
        name: channelId,
        sortName: channelId,
        addedAt: 0,
        refreshedAt: 0,
      };
      await db.insertInto('channel').values(row).execute();
      const ids = Array.from({ length: perFolder }, (_, n) => `L${String(first + n).padStart(10, '0')}`);
      await Promise.all(ids.map((id) => writeFile(join(config.mediaFolder, channelId, `${id}.mp4`), '')));
      for (let from = 0; from < ids.length; from += 250)
        await db
          .insertInto('video')
          .values(
            ids.slice(from, from + 250).map((id) => ({
              id,
              site: 'youtube',
              siteId: id,
              channelId,
              title: id,
              sortTitle: id,
              kind: 'videos' as const,
              publishedAt: 0,
              downloadedAt: 0,
              refreshedAt: 0,
              durationSeconds: 1,
              sizeBytes: 0,
              sha256: '',
              mediaPath: `${channelId}/${id}.mp4`,
            })),
          )
          .execute();
    }
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
    const begin = performance.now();
    const result = await rescanFilesystem.run(
      {
        id: 'bench',
        input: { ignore_error: false, prefer_local: false, dry_run: false },
        againSince: null,
        signal: new AbortController().signal,
        report: () => {},
        note: () => {},
        skip: (what, why) => {
          throw new Error(`${what}: ${why instanceof Error ? why.message : renderMessages(why)}`);
        },
      },
      t.app,
    );
    clearInterval(watch);
    const text = renderMessages(result ?? []);
    if (text !== renderMessages(message('files.rescanned', { seen: files, moved: 0, adopted: 0, missing: 0, changed: 0 })))
      throw new Error(`The rescan says: ${text}`);
    return { seconds: (performance.now() - begin) / 1000, grownMib: (peak - before) / 1024 / 1024 };
  } finally {
    await t.close();
  }
}
