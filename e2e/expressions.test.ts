import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCatalogue, aChannel, aVideo, cuesFrom } from '#standin/builders.ts';
import { add, anArchiveWith, hasTools, queueOf, videoOf, type Acquiring } from './acquiring.ts';

// What is written in yt-dlp's own language reaches it as it was written.

const channel = aChannel({ name: 'Night Trains' });
const spoken = (language: string) => ({ language, name: language, automatic: false, cues: cuesFrom(['…'], 4) });
const videos = ['wordsVideo1', 'wordsVideo2'].map((id) =>
  aVideo({ id, channelId: channel.id, durationSeconds: 4, subtitles: ['en', 'de', 'fr'].map(spoken), extraFormats: ['vp9'] }),
);

describe.runIf(hasTools)('expressions for yt-dlp', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos }));
  });
  afterAll(() => t.close());
  const archived = async (id: string) => {
    await add(t, `https://www.youtube.com/watch?v=${id}`);
    expect(await queueOf(t)).toEqual([]);
    const { streams, subtitles } = await videoOf(t, id);
    return {
      codec: streams.find((one: { type: string }) => one.type === 'video').codec as string,
      languages: subtitles.map((one: { lang: string }) => one.lang) as string[],
    };
  };

  test('formats with quotes, braces and bars, and languages as expressions', async () => {
    const answer = await t.staff.call('POST', '/api/appsettings/config/', {
      downloads: {
        format: `bv*[vcodec~='^(vp0?9|"x"{2})'][format_id!~="^(?:13|16)\\\\d$"]+ba/b`,
        format_sort: 'height:180, codec:h264',
        subtitle: 'e\\w{1}, (?!fr)\\w[e]',
        extractor_lang: 'en, de',
      },
    });
    expect(answer.statusCode).toBe(200);
    expect(await archived(videos[0]!.id)).toEqual({ codec: 'vp9', languages: ['de', 'en'] });
    await t.staff.call('POST', `/api/channel/${channel.id}/`, {
      channel_overwrites: { download_format: `b[format_id!='"']/bv+ba[acodec~="mp4a|aac"]` },
    });
    expect((await archived(videos[1]!.id)).codec).toBe('h264');
  });
});
