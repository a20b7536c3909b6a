import { basename } from 'node:path';
import { parseInput } from '../../../archive/sites/parse-input.ts';
import type { ContainerMetadata } from '../../../platform/media/container-metadata.ts';
import { publicId } from '../../../platform/ytdlp/public-id.ts';
import type { FileGroup } from './group-files.ts';
import type { Sidecars } from './sidecars.ts';
import type { ForeignFields } from './foreign-metadata.ts';

/** Identification methods, most reliable first, with confidence. Their texts are the messages `count.<method>`. */
export const identifiers = {
  database: { confidence: 1 },
  info: { confidence: 0.99 },
  inside: { confidence: 0.99 },
  tubearchivist: { confidence: 0.99 },
  'ytdl-sub': { confidence: 0.97 },
  metube: { confidence: 0.97 },
  ganymede: { confidence: 0.97 },
  nfo: { confidence: 0.97 },
  folder: { confidence: 0.95 },
  'ganymede-folder': { confidence: 0.95 },
  brackets: { confidence: 0.95 },
  tag: { confidence: 0.95 },
  position: { confidence: 0.9 },
  ending: { confidence: 0.6 },
} as const;
export type IdentifiedBy = keyof typeof identifiers;

/** The video that a file probably contains. */
export interface Candidate {
  way: IdentifiedBy;
  confidence: number;
  /** The public id; null if only the site knows it. */
  id: string | null;
  site: string;
  /** Empty if the site cannot be queried. */
  url: string;
}

const youtube = (way: IdentifiedBy, id: string): Candidate => ({
  way,
  confidence: identifiers[way].confidence,
  id,
  site: 'youtube',
  url: `https://www.youtube.com/watch?v=${id}`,
});

/** Reads the page URL that yt-dlp embedded in the file. Other URLs in a comment do not count. */
function ofTag({ tags }: ContainerMetadata): Candidate | null {
  for (const name of ['purl', 'comment']) {
    const text = tags.get(name)?.trim() ?? '';
    const page = /^https?:\/\/\S+$/i.test(text) ? parseInput(text) : null;
    if (page?.what !== 'video' && page?.what !== 'page') continue;
    const { url, what, site = new URL(url).hostname, id = null } = page;
    return { way: 'tag', confidence: identifiers.tag.confidence, id: what === 'video' ? id : null, site, url };
  }
  return null;
}

function ofNote({ by, site, id, url }: ForeignFields): Candidate {
  if (id !== null && site === 'youtube') return youtube(by, id);
  // ytdl-sub's ids differ from yt-dlp's for some sites, so the site confirms them if it can be queried.
  const isSure = id !== null && (by !== 'ytdl-sub' || url === '');
  return {
    way: by,
    confidence: identifiers[by].confidence,
    id: isSure ? publicId(site, id) : null,
    site: id === null ? new URL(url).hostname : site,
    url,
  };
}

/** Identifies the video of a file by the most reliable method; null if none applies. */
export function identify(
  { base, folder }: FileGroup,
  { info, isInside, noted, nfoId }: Sidecars,
  inside: ContainerMetadata,
): Candidate | null {
  if (info) {
    const way = isInside ? 'inside' : 'info';
    const id = publicId(info.site, info.siteId);
    const { confidence } = identifiers[way];
    return info.site === 'youtube' ? youtube(way, id) : { way, confidence, id, site: info.site, url: info.url };
  }
  if (noted) return ofNote(noted);
  if (nfoId) return youtube('nfo', nfoId);
  // Path of TubeArchivist: UC…/<id>.mp4
  if (/^UC[-\w]{22}$/.test(basename(folder)) && /^[-\w]{11}$/.test(base)) return youtube('folder', base);
  const bracketed = /\[([-\w]{11})\]$/.exec(base)?.[1];
  if (bracketed) return youtube('brackets', bracketed);
  const tagged = ofTag(inside);
  if (tagged) return tagged;
  // Default name of TubeSync: <day>_<source>_<title>_<id>_<height>p-<codecs>; the id may contain underscores.
  const placed = /^\d{4}-\d{2}-\d{2}_.+_([-\w]{11})_\d{3,4}p(?:-[a-z0-9]+)+$/.exec(base)?.[1];
  if (placed) return youtube('position', placed);
  // An ordinary title can end like an id, so the site has to confirm it.
  const ending = /(?:^|-)([-\w]{11})$/.exec(base)?.[1];
  return ending ? youtube('ending', ending) : null;
}
