import type { NfoRoot } from './presets.ts';

// NFO files: XML that Kodi, Jellyfin and Emby read (https://kodi.wiki/view/NFO_files).

// Characters that XML 1.0 forbids.
// eslint-disable-next-line no-control-regex -- they are removed
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(forbidden, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

type Value = string | number | null | Element[];
/** Name, content and attributes. An element without content is left out. */
type Element = [name: string, value: Value, attributes?: Record<string, string>];

function render([name, value, attributes = {}]: Element, indent: string): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '';
  const start = `${indent}<${[name, ...Object.entries(attributes).map(([key, text]) => `${key}="${escapeXml(text)}"`)].join(' ')}>`;
  if (!Array.isArray(value)) return `${start}${escapeXml(String(value))}</${name}>\n`;
  return `${start}\n${value.map((child) => render(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const xml = (root: Element) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${render(root, '')}`;

const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
const minute = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

export interface NfoVideo {
  id: string;
  site: string;
  title: string;
  description: string | null;
  channel: string;
  /** Name of the series: the channel or the playlist. */
  show: string;
  season: number;
  episode: number;
  publishedAt: number;
  downloadedAt: number;
  durationSeconds: number;
  tags: string[];
  genres: string[];
  streams: { type: 'video' | 'audio'; codec: string; width: number | null; height: number | null }[];
  subtitles: string[];
  /** Watch state of the chosen person; null without one. */
  watch: { watchedAt: number | null; positionSeconds: number | null; updatedAt: number } | null;
}

/** Elements of a list. Kodi splits each at " / ", so a name such as "AC / DC" loses its spaces. */
const list = (name: string, values: string[]): Element[] => values.map((value) => [name, value.replaceAll(' / ', '/')]);

/** Names of sites as media servers expect them in `uniqueid`. */
const idType = (site: string) => site.toLowerCase();

function watchElements({ watch, durationSeconds }: NfoVideo): Element[] {
  if (!watch) return [];
  const { watchedAt, positionSeconds, updatedAt } = watch;
  const resumes = watchedAt === null && positionSeconds !== null && positionSeconds > 0;
  return [
    // A count of 0 without a date is read as played in 1970.
    ['playcount', watchedAt === null ? (updatedAt > 0 ? 0 : null) : 1],
    ['watched', String(watchedAt !== null)],
    ['lastplayed', updatedAt > 0 ? day(watchedAt ?? updatedAt) : null],
    [
      'resume',
      resumes
        ? [
            ['position', positionSeconds.toFixed(6)],
            ['total', durationSeconds.toFixed(6)],
          ]
        : [],
    ],
  ];
}

const streamDetails = ({ streams, subtitles, durationSeconds }: NfoVideo): Element => [
  'fileinfo',
  [
    [
      'streamdetails',
      [
        ...streams.map(({ type, codec, width, height }): Element => [
          type,
          type === 'audio'
            ? [['codec', codec]]
            : [
                ['codec', codec],
                ['width', width],
                ['height', height],
                ['durationinseconds', durationSeconds],
              ],
        ]),
        ...subtitles.map((language): Element => ['subtitle', [['language', language]]]),
      ],
    ],
  ],
];

/** Returns the NFO file of a video. */
export function videoNfo(root: NfoRoot, video: NfoVideo): string {
  const isEpisode = root === 'episodedetails';
  return xml([
    root,
    [
      ['title', video.title],
      ...(isEpisode
        ? ([
            ['showtitle', video.show],
            ['season', video.season],
            ['episode', video.episode],
          ] as Element[])
        : []),
      ...(root === 'musicvideo' ? list('artist', [video.channel]) : []),
      ['plot', video.description],
      ['runtime', Math.max(1, Math.round(video.durationSeconds / 60))],
      ['uniqueid', video.id, { type: idType(video.site), default: 'true' }],
      ...list('genre', video.genres),
      ...list('tag', video.tags),
      ['aired', isEpisode ? day(video.publishedAt) : null],
      ['premiered', day(video.publishedAt)],
      ['year', isEpisode ? null : Number(day(video.publishedAt).slice(0, 4))],
      ['dateadded', minute(video.downloadedAt)],
      ...list('studio', [video.channel]),
      ...watchElements(video),
      ...(root === 'musicvideo'
        ? []
        : ([
            [
              'actor',
              [
                ['name', video.channel],
                ['role', 'Channel'],
              ],
            ],
          ] as Element[])),
      streamDetails(video),
    ],
  ]);
}

export interface NfoShow {
  id: string;
  site: string;
  title: string;
  description: string | null;
  tags: string[];
  genres: string[];
  /** Date of the first video. */
  premieredAt: number | null;
}

/** Returns the `tvshow.nfo` of a channel or playlist. */
export const showNfo = (show: NfoShow): string =>
  xml([
    'tvshow',
    [
      ['title', show.title],
      ['plot', show.description],
      ['uniqueid', show.id, { type: idType(show.site), default: 'true' }],
      ...list('genre', show.genres),
      ...list('tag', show.tags),
      ['premiered', show.premieredAt === null ? null : day(show.premieredAt)],
      ...list('studio', [show.title]),
    ],
  ]);

/** Returns the `season.nfo` of a folder. */
export const seasonNfo = (season: number, title: string): string =>
  xml([
    'season',
    [
      ['title', title],
      ['seasonnumber', season],
    ],
  ]);

/** Returns the `artist.nfo` of a channel. */
export const artistNfo = ({ title, description }: NfoShow): string =>
  xml([
    'artist',
    [
      ['name', title],
      ['biography', description],
    ],
  ]);
