import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { siteOf } from './info.ts';
import { publicId } from './public-id.ts';
import { parseSiteAddress, type SiteAddress } from './site-addresses.ts';

const parse = (address: string): SiteAddress | null => (URL.canParse(address) ? parseSiteAddress(new URL(address)) : null);
const claim = 'e7d93d772bd87e2b62d5ab993c1c3ced86ebb396';

test.each<[address: string, url: string, id: string | undefined]>([
  ['https://vimeo.com/76979871?share=copy#t=5', 'https://vimeo.com/76979871', 'vimeo.76979871'],
  ['https://vimeo.com/392479337/a52724358e?fl=pl', 'https://vimeo.com/392479337/a52724358e', 'vimeo.392479337'],
  ['https://player.vimeo.com/video/7?h=a52724358e&title=0', 'https://player.vimeo.com/video/7?h=a52724358e', 'vimeo.7'],
  ['https://vimeo.com/channels/staffpicks/143603739', 'https://vimeo.com/channels/staffpicks/143603739', 'vimeo.143603739'],
  ['https://www.twitch.tv/videos/635475444?t=1h2m', 'https://www.twitch.tv/videos/635475444', 'twitchvod.v635475444'],
  ['https://m.twitch.tv/beagsandjam/v/247478721', 'https://www.twitch.tv/videos/247478721', 'twitchvod.v247478721'],
  ['https://player.twitch.tv/?parent=x&video=v1&t=2', 'https://www.twitch.tv/videos/1', 'twitchvod.v1'],
  ['https://www.twitch.tv/xqc/clip/Fast-Kudu_1?x=y', 'https://clips.twitch.tv/Fast-Kudu_1', undefined],
  ['https://clips.twitch.tv/embed?parent=x&clip=Kudu', 'https://clips.twitch.tv/Kudu', undefined],
  ['http://m.soundcloud.com/a/b?in=a/sets/c', 'https://soundcloud.com/a/b', undefined],
  ['https://soundcloud.com/a/b/s-8Pjrp?si=1', 'https://soundcloud.com/a/b/s-8Pjrp', undefined],
  [
    'https://api.soundcloud.com/tracks/soundcloud:tracks:5?secret_token=s-8&x=1',
    'https://api.soundcloud.com/tracks/5?secret_token=s-8',
    'soundcloud.5',
  ],
  ['http://Artist.bandcamp.com/track/a-b?from=x', 'https://artist.bandcamp.com/track/a-b', undefined],
  ['https://m.tiktok.com/@a.b/video/67?lang=en', 'https://www.tiktok.com/@a.b/video/67', 'tiktok.67'],
  ['https://www.tiktok.com/embed/v2/67', 'https://www.tiktok.com/@_/video/67', 'tiktok.67'],
  ['https://dai.ly/x94cnnk', 'https://www.dailymotion.com/video/x94cnnk', 'dailymotion.x94cnnk'],
  ['https://touch.dailymotion.com/video/x94cnnk_t-i?a=b', 'https://www.dailymotion.com/video/x94cnnk', 'dailymotion.x94cnnk'],
  ['https://lbry.tv/@a:1/b:2?r=3', 'https://odysee.com/@a:1/b:2', undefined],
  [`https://odysee.com/@a:1/b:${claim}`, `https://odysee.com/b:${claim}`, `lbry.${claim}`],
  [
    `https://odysee.com/$/embed/b/${claim}?signature=1&signature_ts=2&r=3`,
    `https://odysee.com/b:${claim}?signature=1&signature_ts=2`,
    `lbry.${claim}`,
  ],
  [
    'https://m.bilibili.com/video/bv13x41117TL?vd_source=1',
    'https://www.bilibili.com/video/BV13x41117TL/',
    'bilibili.BV13x41117TL',
  ],
  ['https://www.bilibili.com/video/av170001', 'https://www.bilibili.com/video/av170001/', 'bilibili.BV17x411w7KC'],
  [
    'https://www.bilibili.com/video/BV13x41117TL/?a=b&p=2',
    'https://www.bilibili.com/video/BV13x41117TL/?p=2',
    'bilibili.BV13x41117TL_p2',
  ],
  ['https://www.instagram.com/a.b/reel/CWqAgUZgCku/?igsh=1', 'https://www.instagram.com/p/CWqAgUZgCku/', 'instagram.CWqAgUZgCku'],
  [
    'https://tube.example/w/3fbif9S3WmtTP8gGsC5HBd',
    'https://tube.example/w/3fbif9S3WmtTP8gGsC5HBd',
    'peertube.3fbif9S3WmtTP8gGsC5HBd',
  ],
  [
    'https://tube.example/videos/watch/122d093a-1ede-43bd-bd34-59d2931ffc5e',
    'https://tube.example/videos/watch/122d093a-1ede-43bd-bd34-59d2931ffc5e',
    'peertube.3fbif9S3WmtTP8gGsC5HBd',
  ],
])('reads %s', (address, url, id) => {
  const found = parse(address);
  expect([found?.url, found?.id]).toEqual([url, id]);
});

test.each([
  'https://vm.tiktok.com/ZTR45GpSF/',
  'https://www.tiktok.com/t/ZTRC5xgJp',
  'https://b23.tv/abcdefg',
  'https://on.soundcloud.com/abcdefg',
  'https://www.instagram.com/share/reel/BACCrIXgrq',
  'https://www.instagram.com/stories/someone/3000000000',
  'https://vimeo.com/76979871@evil.example/',
  'https://user:word@vimeo.com/76979871',
  'https://vimeo.com:8443/76979871',
  'https://vimeo.com.evil.example/76979871',
  'https://soundcloud.com/someone/likes',
  'https://soundcloud.com/discover/sets',
  'https://odysee.com/@LBRYFoundation/Episode-1',
  'https://odysee.com/@someone:1',
  'https://www.twitch.tv/someone',
  'https://www.dailymotion.com/video/k46oCapRs4iikoz9DWy',
  'https://www.bilibili.com/video/av99999999999999999',
  'https://tube.example/w/p/3fbif9S3WmtTP8gGsC5HBd',
])('leaves %s to yt-dlp', (address) => expect(parse(address)).toBeNull());

test('an av number without a BV id has no id', () => {
  expect(parse('https://www.bilibili.com/video/av9999999999999999')).not.toHaveProperty('id');
  expect(parse('https://www.bilibili.com/video/BV13x41117TL?p=-1')).not.toHaveProperty('id');
});

test('two ids of a video at its site become one public id', () => {
  expect(publicId('peertube', '00000000-0000-0000-0000-00000000000A')).toBe(publicId('peertube', `${'1'.repeat(21)}b`));
  expect(publicId('bilibili', 'BV1bK411W797_p1')).toBe(publicId('bilibili', 'BV1bK411W797'));
  expect(publicId('bilibili', 'BV1bK411W797_p10')).toBe('bilibili.BV1bK411W797_p10');
});

const hosts = [
  'vimeo.com', 'player.vimeo.com', 'www.twitch.tv', 'player.twitch.tv', 'clips.twitch.tv', 'soundcloud.com', 'api.soundcloud.com',
  'a.bandcamp.com', 'www.tiktok.com', 'www.dailymotion.com', 'dai.ly', 'odysee.com', 'www.bilibili.com', 'www.instagram.com', 'a.example',
]; // prettier-ignore
const words = [
  'video', 'videos', 'watch', 'w', 'v', 'clip', 'embed', '$', '@a:1', 'b:2', `c:${claim}`, 'p', 'reel', 'track', 'tracks', '@a', 'BV13x41117TL',
  'av170001', 'av0', 'CWqAgUZgCku', 'x94cnnk_a', '76979871', 'a52724358e', '3fbif9S3WmtTP8gGsC5HBd', '%', '%2F', '..', '',
]; // prettier-ignore
const params = [
  'video=v1',
  'h=a52724358e',
  'p=2',
  'p=0',
  'bvid=BV13x41117TL',
  'clip=a',
  'secret_token=s-1',
  'vodID=1',
  'a=%',
  '&',
];

test('reads its own URLs in the same way, on the same site', () => {
  const text = <T extends string>(known: T[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, fc.string());
  let recognized = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...hosts),
      fc.array(text(words), { maxLength: 4 }),
      fc.array(text(params), { maxLength: 3 }),
      (host, path, query) => {
        const found = parse(`https://${host}/${path.join('/')}?${query.join('&')}`);
        if (!found) return;
        recognized++;
        expect(parse(found.url)).toEqual(found);
        expect(found.id ?? '').toMatch(/^[-\w.]{0,120}$/);
      },
    ),
    { numRuns: 5000 },
  );
  expect(recognized).toBeGreaterThan(50);
});

interface Described {
  url: string;
  /** Null if no extractor is suitable. */
  extractor: string | null;
  /** What the extractor finds in the address. */
  matched: string | null;
}
interface ExtractorTest extends Described {
  id: string | null;
  isList: boolean;
}

const packages = join(dirname(process.env.REELKEEP_YTDLP ?? '/'), 'packages');
const script = join(import.meta.dirname, '../../test-support/extractor-tests.py');
const runScript = <T>(args: string[], input = '') =>
  JSON.parse(
    execFileSync('python3', ['-S', script, ...args], {
      input,
      env: { PATH: process.env.PATH, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf8' },
      encoding: 'utf8',
      maxBuffer: 50_000_000,
    }),
  ) as T[];

// How many test addresses of each extractor are recognized at least.
const recognizedAddresses: Record<string, number> = {
  Vimeo: 15,
  VimeoReview: 2,
  TwitchVod: 7,
  TwitchClips: 5,
  Soundcloud: 8,
  Bandcamp: 3,
  TikTok: 9,
  Dailymotion: 9,
  LBRY: 8,
  PeerTube: 6,
  BiliBili: 11,
  Instagram: 7,
};
const modules = 'vimeo twitch soundcloud bandcamp tiktok dailymotion lbry peertube bilibili instagram'.split(' ');

// `npm run test:quick` runs without yt-dlp; `npm test` installs it, and counts these tests as skipped if that fails.
describe.runIf(existsSync(packages))('test addresses of the installed yt-dlp', () => {
  let tests: (ExtractorTest & { found: SiteAddress | null })[];
  let ofVideos: (ExtractorTest & { found: SiteAddress })[];
  beforeAll(() => {
    tests = runScript<ExtractorTest>(modules).map((one) => ({ ...one, found: parse(one.url) }));
    ofVideos = tests.flatMap(({ found, ...one }) => (found ? [{ ...one, found }] : []));
  });

  test('are recognized', () => {
    const counts = Map.groupBy(ofVideos, ({ extractor }) => extractor ?? '');
    const missing = Object.entries(recognizedAddresses).filter(([name, least]) => (counts.get(name)?.length ?? 0) < least);
    expect(missing).toEqual([]);
  });

  test('of lists, channels and other extractors are no videos', () => {
    const others = tests.filter(({ extractor }) => !extractor || !(extractor in recognizedAddresses));
    expect(others.length).toBeGreaterThan(100);
    expect(others.filter(({ found }) => found)).toEqual([]);
    expect(ofVideos.filter(({ isList, found }) => isList && found.what === 'video')).toEqual([]);
  });

  test('have the id that yt-dlp returns', () => {
    const compared = ofVideos.filter(({ id, isList, found }) => id && !isList && found.id);
    const wrong = compared.filter(({ extractor, id, found }) => publicId(siteOf(extractor!), id!) !== found.id);
    // Bilibili redirects some addresses to episodes of a series, which yt-dlp finds out because these are pages.
    expect(wrong.filter(({ found }) => found.what === 'video')).toEqual([]);
    expect(wrong.length).toBeLessThan(5);
    expect(compared.length).toBeGreaterThan(50);
  });

  test('are rewritten to addresses of the same video', () => {
    const rewritten = runScript<Described>(['--urls'], JSON.stringify(ofVideos.map(({ found }) => found.url)));
    const idIn = ({ extractor, matched }: Described) => `${siteOf(extractor!)} ${matched}`;
    const comparable = (one: Described, { site }: SiteAddress) =>
      // Both are names of the same claim: with the channel, and with the claim id.
      site === 'lbry' ? siteOf(one.extractor!) : idIn(one);
    expect(ofVideos.map(({ found, ...one }) => comparable(one, found))).toEqual(
      rewritten.map((one, index) => comparable(one, ofVideos[index]!.found)),
    );
    expect(ofVideos.filter(({ extractor, found }) => siteOf(extractor!) !== found.site)).toEqual([]);
  });
});
