import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

// yt-dlp receives format and language expressions unchanged.

const channel = aChannel({ name: 'Night Trains' });
const spoken = (language: string) => ({ language, name: language, automatic: false, cues: cuesFrom(['…'], 4) });
const videos = ['wordsVideo1', 'wordsVideo2'].map((id) =>
  aVideo({ id, channelId: channel.id, durationSeconds: 4, subtitles: ['en', 'de', 'fr'].map(spoken), extraFormats: ['vp9'] }),
);

const bright = ['hdrVideo001', 'hdrVideo002', 'hdrVideo003'].map((id) =>
  aVideo({ id, channelId: channel.id, durationSeconds: 4, extraFormats: ['vp9', 'hdr'] }),
);

describe.runIf(hasTools)('yt-dlp expressions', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [...videos, ...bright] }));
  });
  afterAll(() => t.close());
  const archiveVideo = async (id: string) => {
    await add(t, `https://www.youtube.com/watch?v=${id}`);
    expect(await queueOf(t)).toEqual([]);
    const { streams, subtitles } = await videoOf(t, id);
    return {
      codec: streams.find((one: { type: string }) => one.type === 'video').codec as string,
      languages: subtitles.map((one: { lang: string }) => one.lang) as string[],
    };
  };

  test('takes SDR where a site has both, unless the settings or the order of formats prefer HDR', async () => {
    const formatOf = async (id: string) => {
      await archiveVideo(id);
      const fetched = t.testSite.requests.filter(({ host, path }) => host.includes('googlevideo') && path.includes(`id=${id}`));
      return new Set(fetched.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('itag'))).has('335') ? 'HDR' : 'SDR';
    };
    const set = (downloads: object) => t.staff.call('POST', '/api/appsettings/config/', { downloads });
    expect(await formatOf('hdrVideo001')).toBe('SDR');
    await set({ prefer_hdr: true });
    expect(await formatOf('hdrVideo002')).toBe('HDR');
    await set({ prefer_hdr: false, format_sort: 'hdr' });
    expect(await formatOf('hdrVideo003')).toBe('HDR');
    await set({ format_sort: null });
  });

  test('accepts formats with quotes, braces and pipes, and languages as expressions', async () => {
    const response = await t.staff.call('POST', '/api/appsettings/config/', {
      downloads: {
        format: `bv*[vcodec~='^(vp0?9|"x"{2})'][format_id!~="^(?:13|16)\\\\d$"]+ba/b`,
        format_sort: 'height:180, codec:h264',
        subtitle: 'e\\w{1}, (?!fr)\\w[e]',
        extractor_lang: 'en, de',
      },
    });
    expect(response.statusCode).toBe(200);
    expect(await archiveVideo(videos[0]!.id)).toEqual({ codec: 'vp9', languages: ['de', 'en'] });
    await t.staff.call('POST', `/api/channel/${channel.id}/`, {
      channel_overwrites: { download_format: `b[format_id!='"']/bv+ba[acodec~="mp4a|aac"]` },
    });
    expect((await archiveVideo(videos[1]!.id)).codec).toBe('h264');
  });
});
