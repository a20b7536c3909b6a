import { basename } from 'node:path';
import { classify } from '../download/classify.ts';
import type { Inside } from '../media/inside.ts';
import { wireId } from '../ytdlp/wire-id.ts';
import type { Group } from './import-groups.ts';
import type { Local } from './import-local.ts';
import type { Noted } from './import-note.ts';

/** How a file was recognised, the surest first: how sure that is, and how it is said. */
export const ways = {
  info: { confidence: 0.99, words: 'by the info.json beside' },
  inside: { confidence: 0.99, words: 'by the info.json inside' },
  'ytdl-sub': { confidence: 0.97, words: 'by what ytdl-sub noted' },
  metube: { confidence: 0.97, words: 'by what MeTube noted' },
  ganymede: { confidence: 0.97, words: 'by what Ganymede noted' },
  nfo: { confidence: 0.97, words: 'by the NFO beside' },
  folder: { confidence: 0.95, words: 'by the folder of their channel' },
  'ganymede-folder': { confidence: 0.95, words: 'by a folder of Ganymede' },
  brackets: { confidence: 0.95, words: 'by the [id] in the name' },
  tag: { confidence: 0.95, words: 'by the address inside' },
  position: { confidence: 0.9, words: 'by the place of the id in a name of TubeSync' },
  ending: { confidence: 0.6, words: 'by the end of the name and the length' },
} as const;
export type Way = keyof typeof ways;

/** Which video a file seems to be. */
export interface Candidate {
  way: Way;
  confidence: number;
  /** As on the wire; null when only the site knows. */
  id: string | null;
  site: string;
  /** Empty where its site cannot be asked. */
  url: string;
}

const youtube = (way: Way, id: string): Candidate => ({
  way,
  confidence: ways[way].confidence,
  id,
  site: 'youtube',
  url: `https://www.youtube.com/watch?v=${id}`,
});

/** The page that yt-dlp wrote into the file; not just any address that a comment contains. */
function ofTag({ tags }: Inside): Candidate | null {
  for (const name of ['purl', 'comment']) {
    const text = tags.get(name)?.trim() ?? '';
    const page = /^https?:\/\/\S+$/i.test(text) ? classify(text) : null;
    if (page?.what === 'video' && page.id) return youtube('tag', page.id);
    if (page?.what === 'page')
      return { way: 'tag', confidence: ways.tag.confidence, id: null, site: new URL(page.url).hostname, url: page.url };
  }
  return null;
}

function ofNote({ by, site, id, url }: Noted): Candidate {
  if (id !== null && site === 'youtube') return youtube(by, id);
  // ytdl-sub does not write the id of every site as yt-dlp does now: where that can be asked, it says.
  const isSure = id !== null && (by !== 'ytdl-sub' || url === '');
  return {
    way: by,
    confidence: ways[by].confidence,
    id: isSure ? wireId(site, id) : null,
    site: id === null ? new URL(url).hostname : site,
    url,
  };
}

/** Which video a file is, by the surest of what tells it; null when nothing does. */
export function identify({ base, folder }: Group, { info, isInside, noted, nfoId }: Local, inside: Inside): Candidate | null {
  if (info) {
    const way = isInside ? 'inside' : 'info';
    const id = wireId(info.site, info.siteId);
    const { confidence } = ways[way];
    return info.site === 'youtube' ? youtube(way, id) : { way, confidence, id, site: info.site, url: info.url };
  }
  if (noted) return ofNote(noted);
  if (nfoId) return youtube('nfo', nfoId);
  // As TubeArchivist keeps them: UC…/<id>.mp4
  if (/^UC[-\w]{22}$/.test(basename(folder)) && /^[-\w]{11}$/.test(base)) return youtube('folder', base);
  const bracketed = /\[([-\w]{11})\]$/.exec(base)?.[1];
  if (bracketed) return youtube('brackets', bracketed);
  const tagged = ofTag(inside);
  if (tagged) return tagged;
  // As TubeSync calls them unless told otherwise: <day>_<source>_<title>_<id>_<height>p-<codecs>; the id may have underscores itself.
  const placed = /^\d{4}-\d{2}-\d{2}_.+_([-\w]{11})_\d{3,4}p(?:-[a-z0-9]+)+$/.exec(base)?.[1];
  if (placed) return youtube('position', placed);
  // An ordinary title may well end like that: the site has to confirm it.
  const ending = /(?:^|-)([-\w]{11})$/.exec(base)?.[1];
  return ending ? youtube('ending', ending) : null;
}
