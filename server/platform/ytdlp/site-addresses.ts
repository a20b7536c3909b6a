import { publicId } from './public-id.ts';

/** A video of a site other than YouTube, as far as its address identifies it. */
export interface SiteAddress {
  /** `page` if the address may also be a list. */
  what: 'video' | 'page';
  /** URL for yt-dlp. */
  url: string;
  site: string;
  /** Id that yt-dlp returns, if the address contains it; of a page, if it is a single video. */
  siteId?: string;
  /** Public id. */
  id?: string;
}

type Groups = Record<string, string>;

interface AddressForm {
  /** Extractor name of yt-dlp in lower case. */
  site: string;
  /** Matches host, path and query. Without the group `id`, only the site knows the id. */
  pattern: RegExp;
  url(groups: Groups, given: URL): string;
  siteId?(groups: Groups, given: URL): string | undefined;
  mayBeList?: true;
}

/** Removes the fragment, and all query parameters except these. */
function keepParams({ origin, pathname, searchParams }: URL, ...names: string[]): string {
  const query = new URLSearchParams([...searchParams].filter(([name]) => names.includes(name))).toString();
  return `${origin}${pathname}${query && `?${query}`}`;
}

// An av number is a BV id in another notation: XOR and base 58, with the digits in another order
// (https://socialsisteryi.github.io/bilibili-API-collect/docs/misc/bvid_desc.html).
const bvDigits = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf';
const bvOrder = [2, 4, 6, 5, 7, 3, 8, 1, 0];
const bvLimit = 2n ** 51n;

function bvOfAv(av: string): string | undefined {
  const number = BigInt(av);
  if (number >= bvLimit) return undefined;
  const code = (bvLimit + number) ^ 23_442_827_791_579n;
  return `BV1${bvOrder.map((place) => bvDigits[Number((code / 58n ** BigInt(place)) % 58n)]).join('')}`;
}

/** Parts of a video have ids such as `BV1bK411W797_p2`. */
function bilibiliId({ bv, av }: Groups, { searchParams }: URL): string | undefined {
  const id = bv ? `BV${bv}` : bvOfAv(av!);
  const part = searchParams.get('p');
  if (part === null) return id;
  return id && /^[1-9]\d{0,3}$/.test(part) ? `${id}_p${part}` : undefined;
}

// Read from the extractors of yt-dlp 2026.10.26; site-addresses.test.ts compares them with those of the installed one. What
// an address needs to be accessible (the hash of an unlisted video, a secret token, a signature) stays in the URL.
const forms: AddressForm[] = [
  {
    site: 'vimeo',
    pattern:
      /^(?:www\.)?vimeo\.com\/(?:channels\/[^/]+\/|(?:groups|album|showcase)\/[^/]+\/videos?\/|videos?\/)?(?<id>\d+)(?:\/[\da-f]{10})?\/?(?:\?|$)/,
    url: (_, given) => keepParams(given, 'h'),
  },
  // Works without an account where the address on vimeo.com does not.
  {
    site: 'vimeo',
    pattern: /^player\.vimeo\.com\/video\/(?<id>\d+)\/?(?:\?|$)/,
    url: (_, given) => keepParams(given, 'h'),
  },
  {
    site: 'vimeo',
    pattern: /^vimeo\.com\/[^/]+\/review\/(?<id>\d+)\/[\da-f]{10}\/?(?:\?|$)/,
    url: (_, given) => keepParams(given),
  },
  {
    site: 'twitchvod',
    pattern:
      /^(?:(?:(?:www|go|m)\.)?twitch\.tv\/(?:videos\/|[^/]+\/v(?:ideo)?\/|[^/]+\/schedule\?(?:.*&)?vodID=)|player\.twitch\.tv\/\?(?:.*&)?video=v?)(?<id>\d+)\/?(?:[?&]|$)/,
    url: ({ id }) => `https://www.twitch.tv/videos/${id}`,
    siteId: ({ id }) => `v${id}`,
  },
  {
    site: 'twitchclips',
    pattern:
      /^(?:clips\.twitch\.tv\/(?:embed\?(?:.*&)?clip=|(?:[^/]+\/)?)|(?:(?:www|go|m)\.)?twitch\.tv\/(?:[^/]+\/)?clip\/)(?<slug>(?!embed\b)[-\w]+)\/?(?:[?&]|$)/,
    url: ({ slug }) => `https://clips.twitch.tv/${slug}`,
  },
  {
    site: 'soundcloud',
    pattern:
      /^(?:(?:www|m)\.)?soundcloud\.com\/(?!(?:charts|discover|groups|pages|people|search|stations|tags|you)\/)(?<track>[-\w]+\/(?!(?:albums|comments|followers|following|likes|popular-tracks|reposts|sets|spotlight|tracks)\/?(?:\?|$))[-\w]+(?:\/s-\w+)?)\/?(?:\?|$)/,
    url: ({ track }) => `https://soundcloud.com/${track}`,
  },
  {
    site: 'soundcloud',
    pattern: /^api(?:-v2)?\.soundcloud\.com\/tracks\/(?:soundcloud(?:%3A|:)tracks(?:%3A|:))?(?<id>\d+)\/?(?:\?|$)/i,
    url: ({ id }, given) => keepParams(new URL(`/tracks/${id}${given.search}`, 'https://api.soundcloud.com'), 'secret_token'),
  },
  {
    site: 'bandcamp',
    pattern: /^(?!www\.)(?<artist>[-\w]+)\.bandcamp\.com\/track\/(?<track>[^/?]+)\/?(?:\?|$)/,
    url: ({ artist, track }) => `https://${artist}.bandcamp.com/track/${track}`,
  },
  {
    site: 'tiktok',
    pattern: /^(?:(?:www|m)\.)?tiktokv?\.com\/(?:@(?<user>[-.\w]*)\/video|share\/video|embed(?:\/v\d)?)\/(?<id>\d+)\/?(?:\?|$)/,
    url: ({ user, id }) => `https://www.tiktok.com/@${user || '_'}/video/${id}`,
  },
  {
    site: 'dailymotion',
    pattern:
      /^(?:(?:(?:www|touch|geo)\.)?dailymotion\.com\/(?:(?:(?:crawler|embed|swf)\/)?video\/|player(?:\/[\da-z]+)?\.html\?(?:.*&)?video=)|dai\.ly\/)(?<id>x[\da-z]+)(?:_[^/?&]*)?\/?(?:[?&]|$)/,
    url: ({ id }) => `https://www.dailymotion.com/video/${id}`,
  },
  // Names without a claim id may point to another video later.
  {
    site: 'lbry',
    pattern:
      /^(?:www\.)?(?:odysee\.com|lbry\.tv)\/(?:\$\/(?:embed|download)\/)?(?:@[^$@:/?]+(?::[\da-f]{1,40})?\/)?(?<name>[^$@:/?]+):(?<id>[\da-f]{40})\/?(?:\?|$)/,
    url: ({ name, id }, given) => signedOdysee(`${name}:${id}`, given),
    // A live stream has the id of its channel.
    mayBeList: true,
  },
  {
    site: 'lbry',
    pattern: /^(?:www\.)?(?:odysee\.com|lbry\.tv)\/\$\/(?:embed|download)\/(?<name>[^$@:/?]+)\/(?<id>[\da-f]{40})\/?(?:\?|$)/,
    url: ({ name, id }, given) => signedOdysee(`${name}:${id}`, given),
    mayBeList: true,
  },
  {
    site: 'lbry',
    pattern:
      /^(?:www\.)?(?:odysee\.com|lbry\.tv)\/(?:\$\/(?:embed|download)\/)?(?<path>(?:@[^$@:/?]+(?::[\da-f]{1,40})?\/)?[^$@:/?]+:[\da-f]{1,39})\/?(?:\?|$)/,
    url: ({ path }, given) => signedOdysee(path!, given),
  },
  {
    site: 'bilibili',
    pattern: /^(?:(?:www|m)\.)?bilibili\.com\/video\/(?:bv(?<bv>1[1-9a-z]{9})|av(?<av>\d{1,16}))\/?(?:\?|$)/i,
    url: ({ bv, av }, given) =>
      keepParams(new URL(`/video/${bv ? `BV${bv}` : `av${av}`}/${given.search}`, 'https://www.bilibili.com'), 'p'),
    siteId: bilibiliId,
    mayBeList: true,
  },
  {
    site: 'bilibili',
    pattern: /^(?:www\.)?bilibili\.com\/festival\/[^/?]+\?(?:.*&)?bvid=bv(?<bv>1[1-9a-z]{9})(?:&|$)/i,
    url: (_, given) => keepParams(given, 'bvid', 'p'),
    siteId: bilibiliId,
    mayBeList: true,
  },
  {
    site: 'instagram',
    pattern:
      /^(?:www\.)?instagram\.com\/(?:(?!share\/)[^/]+\/)?(?:p|tv|reels?)\/(?<id>[-\w]{10,12})\/?(?:embed\/(?:captioned\/)?)?(?:\?|$)/,
    url: ({ id }) => `https://www.instagram.com/p/${id}/`,
    mayBeList: true,
  },
  // Any host may be an instance.
  {
    site: 'peertube',
    pattern:
      /^[^/]+\/(?:videos\/(?:watch|embed)|api\/v\d\/videos|w)\/(?<id>[\da-z]{22}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/?(?:\?|$)/i,
    url: (_, given) => given.href,
    mayBeList: true,
  },
];

/** Odysee adds a signature to the addresses of unlisted videos. */
const signedOdysee = (path: string, { search }: URL) =>
  keepParams(new URL(`/${path}${search}`, 'https://odysee.com'), 'signature', 'signature_ts');

/** Recognizes the address of a video of a site other than YouTube, without a request. */
export function parseSiteAddress(given: URL): SiteAddress | null {
  if (given.username || given.password) return null;
  const text = `${given.host}${given.pathname}${given.search}`;
  for (const { site, pattern, url, siteId, mayBeList } of forms) {
    const groups = pattern.exec(text)?.groups as Groups | undefined;
    if (!groups) continue;
    const found = siteId ? siteId(groups, given) : groups.id;
    return {
      what: mayBeList ? 'page' : 'video',
      url: url(groups, given),
      site,
      ...(found && { siteId: found, id: publicId(site, found) }),
    };
  }
  return null;
}
