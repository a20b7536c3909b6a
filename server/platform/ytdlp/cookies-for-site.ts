import { isIP } from 'node:net';

// Each run of yt-dlp gets only the cookies of its site, and only these are read back.

// Sites that share logins, and their short domains.
const relatedSites = [
  ['youtube.com', 'google.com', 'youtu.be', 'youtube-nocookie.com'],
  ['x.com', 'twitter.com', 't.co'],
  ['facebook.com', 'fb.watch', 'fb.com'],
  ['bilibili.com', 'b23.tv', 'bilibili.tv'],
  ['reddit.com', 'redd.it'],
  ['dailymotion.com', 'dai.ly'],
  ['soundcloud.com', 'snd.sc'],
  ['vk.com', 'vkvideo.ru', 'vk.ru'],
];

// Second-level labels of public suffixes such as `co.uk`.
const secondLevelLabels = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']);

/** Returns the approximate registrable domain: the last two labels, or three for suffixes such as `co.uk`. */
function registrableDomain(host: string): string {
  if (isIP(host.replace(/^\[|\]$/g, ''))) return host;
  const labels = host.toLowerCase().split('.').filter(Boolean);
  const [ending = '', second = ''] = labels.toReversed();
  return labels.slice(ending.length === 2 && secondLevelLabels.has(second) && labels.length > 2 ? -3 : -2).join('.');
}

const domainOf = (line: string): string | null => {
  const fields = line.replace(/^#HttpOnly_/, '').split('\t');
  return fields.length === 7 && !fields[0]!.startsWith('#') ? fields[0]! : null;
};

/** Returns a predicate for domains of a cookie file that belong to the site of a URL. */
function siteOf(url: string): (domain: string) => boolean {
  const ownDomain = registrableDomain(URL.canParse(url) ? new URL(url).hostname : '');
  const names = relatedSites.find((some) => some.includes(ownDomain)) ?? [ownDomain];
  return (domain) => names.includes(registrableDomain(domain));
}

const cookieLines = (text: string, isWanted: (domain: string) => boolean) =>
  text.split(/\r?\n/).filter((line) => {
    const domain = domainOf(line);
    return domain !== null && isWanted(domain);
  });

const fileOf = (lines: string[]) => `# Netscape HTTP Cookie File\n${lines.map((line) => `${line}\n`).join('')}`;

/** Returns a cookie file with the cookies of the site of a URL; null if there are none. */
export function cookiesFor(text: string, url: string): string | null {
  const lines = cookieLines(text, siteOf(url));
  return lines.length > 0 ? fileOf(lines) : null;
}

/** Returns a cookie file in which the cookies of a site are replaced by those after a run; null if they did not change. */
export function withRenewed(text: string, renewed: string, url: string): string | null {
  const isOfSite = siteOf(url);
  const [before, after] = [cookieLines(text, isOfSite), cookieLines(renewed, isOfSite)];
  if (before.toSorted().join('\n') === after.toSorted().join('\n')) return null;
  return fileOf([...cookieLines(text, (domain) => !isOfSite(domain)), ...after]);
}
