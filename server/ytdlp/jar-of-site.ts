import { isIP } from 'node:net';

// Which cookies belong to a site: each run of yt-dlp is given those of its own alone, and nothing else comes back from it.

// Sites whose logins are elsewhere too, and their short addresses.
const together = [
  ['youtube.com', 'google.com', 'youtu.be', 'youtube-nocookie.com'],
  ['x.com', 'twitter.com', 't.co'],
  ['facebook.com', 'fb.watch', 'fb.com'],
  ['bilibili.com', 'b23.tv', 'bilibili.tv'],
  ['reddit.com', 'redd.it'],
  ['dailymotion.com', 'dai.ly'],
  ['soundcloud.com', 'snd.sc'],
  ['vk.com', 'vkvideo.ru', 'vk.ru'],
];

// Endings of two labels below a country's, such as `co.uk`.
const seconds = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']);

/** Under which name a host was registered, about: its last two labels, or three where the ending has two, as in `co.uk`. */
function ownName(host: string): string {
  if (isIP(host.replace(/^\[|\]$/g, ''))) return host;
  const labels = host.toLowerCase().split('.').filter(Boolean);
  const [ending = '', second = ''] = labels.toReversed();
  return labels.slice(ending.length === 2 && seconds.has(second) && labels.length > 2 ? -3 : -2).join('.');
}

const domainOf = (line: string): string | null => {
  const fields = line.replace(/^#HttpOnly_/, '').split('\t');
  return fields.length === 7 && !fields[0]!.startsWith('#') ? fields[0]! : null;
};

/** Tells of a domain, as cookie files have it, whether it belongs to the site of an address. */
function siteOf(url: string): (domain: string) => boolean {
  const own = ownName(URL.canParse(url) ? new URL(url).hostname : '');
  const names = together.find((some) => some.includes(own)) ?? [own];
  return (domain) => names.includes(ownName(domain));
}

const cookieLines = (text: string, isWanted: (domain: string) => boolean) =>
  text.split(/\r?\n/).filter((line) => {
    const domain = domainOf(line);
    return domain !== null && isWanted(domain);
  });

const fileOf = (lines: string[]) => `# Netscape HTTP Cookie File\n${lines.map((line) => `${line}\n`).join('')}`;

/** Of a cookie file what belongs to the site of this address, as a cookie file; null where none does. */
export function cookiesFor(text: string, url: string): string | null {
  const lines = cookieLines(text, siteOf(url));
  return lines.length > 0 ? fileOf(lines) : null;
}

/** A cookie file with what a run for this address left in its own of that site's cookies; null where nothing of those changed. */
export function withRenewed(text: string, renewed: string, url: string): string | null {
  const isOfSite = siteOf(url);
  const [before, after] = [cookieLines(text, isOfSite), cookieLines(renewed, isOfSite)];
  if (before.toSorted().join('\n') === after.toSorted().join('\n')) return null;
  return fileOf([...cookieLines(text, (domain) => !isOfSite(domain)), ...after]);
}
