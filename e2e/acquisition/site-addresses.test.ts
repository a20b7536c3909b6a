import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResolvedItem } from '#contract/resolve.ts';
import { createQueueItem, createVideo } from '#server/test-support/app.ts';
import { aCatalogue, aClip } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const [uuid, shortUuid] = ['9c9de5e8-0a1e-484a-b099-e80766180a6d', 'kkGMgK9ZtnKfYAgnEtQxbv'];
const clips = [
  aClip({ title: 'Fediverse', durationSeconds: 4, peertubeIds: [uuid, shortUuid] }),
  aClip({ title: 'Three parts', bilibili: { bvid: 'BV1bK411W797', parts: 3 } }),
];
const track = 'https://soundcloud.com/someone/song';

describe.runIf(hasTools)('addresses of other sites', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ clips }));
    const { db } = t.app;
    const archived = [
      { site: 'vimeo', siteId: '76979871' },
      { site: 'twitchvod', siteId: 'v635475444' },
      { site: 'twitchclips', siteId: '396245304', url: 'https://clips.twitch.tv/FaintLight' },
      { site: 'dailymotion', siteId: 'x94cnnk' },
      { site: 'bilibili', siteId: 'BV13x41117TL' },
      { site: 'instagram', siteId: 'CWqAgUZgCku' },
      { site: 'peertube', siteId: '3fbif9S3WmtTP8gGsC5HBd' },
    ];
    for (const one of archived) await createVideo(db, { ...one, id: `${one.site}.${one.siteId}` });
    await createQueueItem(db, { id: 'soundcloud.1', site: 'soundcloud', siteId: '1', url: track });
  });
  afterAll(() => t.close());

  const addresses = [
    'https://player.vimeo.com/video/76979871?h=a52724358e',
    'https://vimeo.com/channels/staffpicks/76979871',
    'https://m.twitch.tv/someone/v/635475444?t=1m',
    'https://www.twitch.tv/someone/clip/FaintLight',
    'https://dai.ly/x94cnnk',
    'https://www.bilibili.com/video/av8903802',
    'https://www.instagram.com/someone/reel/CWqAgUZgCku/?igsh=1',
    'https://tube.example/w/3fbif9S3WmtTP8gGsC5HBd',
    'https://m.soundcloud.com/someone/song?si=1',
  ];

  test('of known videos are skipped without a request', async () => {
    await add(t, addresses.join('\n'), '?autostart=false');
    expect((await queueOf(t)).map((item) => item.youtube_id)).toEqual(['soundcloud.1']);
    expect(t.testSite.requests).toEqual([]);
  });

  test('find the archived video', async () => {
    const links = [...addresses.slice(0, 8), 'https://tube.example/videos/watch/122d093a-1ede-43bd-bd34-59d2931ffc5e'];
    const { items } = (await t.staff.call('POST', '/api/resolve/', { text: links.join('\n') })).json();
    const found = items.map(({ id, state }: ResolvedItem) => `${state} ${id}`);
    expect(found).toEqual([
      'archived vimeo.76979871',
      'archived twitchvod.v635475444',
      'archived twitchclips.396245304',
      'archived dailymotion.x94cnnk',
      'archived bilibili.BV13x41117TL',
      'archived instagram.CWqAgUZgCku',
      'archived peertube.3fbif9S3WmtTP8gGsC5HBd',
      'archived peertube.3fbif9S3WmtTP8gGsC5HBd',
    ]);
  });

  test('of one video make one item, with the reason if the lookup fails', async () => {
    await add(
      t,
      'https://m.tiktok.com/@someone/video/7106798200794926362?lang=en\nhttps://www.tiktok.com/embed/7106798200794926362',
    );
    const requests = t.testSite.requests.filter(({ host }) => host === 'www.tiktok.com').length;
    expect(requests).toBeGreaterThan(0);
    await add(t, 'https://www.tiktok.com/@_/video/7106798200794926362', '?autostart=false');
    expect(await queueOf(t)).toMatchObject([
      { youtube_id: 'soundcloud.1' },
      { youtube_id: 'tiktok.7106798200794926362', failure: expect.any(String), message: expect.any(String) },
    ]);
    expect(t.testSite.requests.filter(({ host }) => host === 'www.tiktok.com')).toHaveLength(requests);
  });

  test('with the long and the short id of a PeerTube video archive it once, with its SRT subtitles', async () => {
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { subtitle: 'de', subtitle_source: 'user' } });
    await add(t, `https://tube.example/videos/watch/${uuid}`);
    expect(await videoOf(t, `peertube.${shortUuid}`)).toMatchObject({
      title: 'Fediverse',
      subtitles: [{ lang: 'de', source: 'user' }],
    });
    await add(t, `https://tube.example/w/${shortUuid}`);
    expect(await queueOf(t)).toHaveLength(2);
    const isLookup = ({ host }: { host: string }) => host === 'tube.example';
    const requests = t.testSite.requests.filter(isLookup).length;
    await add(t, `https://tube.example/videos/embed/${uuid}`);
    expect(t.testSite.requests.filter(isLookup)).toHaveLength(requests);
  });

  test('of a Bilibili video of several parts add each part', async () => {
    await add(t, 'https://www.bilibili.com/video/BV1bK411W797', '?flat=true&autostart=false');
    const ids = (await queueOf(t)).map((item) => item.youtube_id).filter((id) => id.startsWith('bilibili.'));
    expect(ids).toEqual(['bilibili.BV1bK411W797', 'bilibili.BV1bK411W797_p2', 'bilibili.BV1bK411W797_p3']);
  });
});
