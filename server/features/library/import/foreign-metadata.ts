import { isAbsolute, posix } from 'node:path';
import { readInfo, siteOf, type VideoInfo } from '../../../platform/ytdlp/info.ts';

/** Metadata of a file from another program. */
export interface ForeignMetadata {
  by: 'database' | 'tubearchivist' | 'ytdl-sub' | 'metube' | 'ganymede' | 'ganymede-folder';
  /** The extractor name of yt-dlp. */
  extractor: string;
  /** The video id at the site; null if only the site knows it. */
  id: string | null;
  /** URL for a lookup at the site; empty if there is none. */
  url: string;
  /** Other fields, named as in an info.json. */
  fields: Record<string, unknown>;
  /** As complete as an info.json, including the channel. */
  isWhole: boolean;
  /** When it was downloaded, epoch seconds. */
  fetchedAt?: number | null;
}

/** Foreign metadata with the fallback for a video whose site returns nothing. */
export interface ForeignFields extends ForeignMetadata {
  site: string;
  metadata: { info: VideoInfo; json: unknown } | null;
}

/** Completes foreign metadata with a title and a page URL from the files next to the video. */
export function foreignFieldsOf(note: ForeignMetadata, sidecar: { title: string; page: string | null }): ForeignFields {
  const { extractor, id, fields } = note;
  const url = note.url || sidecar.page || '';
  const json = { title: sidecar.title, ...fields, id, extractor_key: extractor, ...(url && { webpage_url: url }) };
  return { ...note, url, site: siteOf(extractor), metadata: id === null ? null : { info: readInfo(json), json } };
}

/** One video in a metadata list with the files it names, or `strange` for an unreadable entry. */
export type ForeignEntry = { note: ForeignMetadata; names: string[] } | 'strange';

/** The metadata list has an unexpected format. */
export class InvalidMetadataError extends Error {}

/** Normalizes a file name in a metadata list, relative to the folder of the list; null if it leads out of that folder. */
export function relativeFolder(name: string): string | null {
  const path = posix.normalize(name);
  return isAbsolute(path) || path === '..' || path.startsWith('../') || path.includes('\0') ? null : path;
}
