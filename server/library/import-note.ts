import { isAbsolute, posix } from 'node:path';
import { readInfo, siteOf, type VideoInfo } from '../ytdlp/info.ts';

/** What another program noted of a file. */
export interface Note {
  by: 'ytdl-sub' | 'metube' | 'ganymede' | 'ganymede-folder';
  /** As yt-dlp calls its extractor. */
  extractor: string;
  /** Of the video at its site; null when only the site knows. */
  id: string | null;
  /** Where the site can be asked of it; empty where it cannot. */
  url: string;
  /** What else it tells, in the words of an info.json. */
  said: Record<string, unknown>;
  /** It tells as much as an info.json: whose video it is, too. */
  isWhole: boolean;
}

/** A note with what it tells of the video when its site does not. */
export interface Noted extends Note {
  site: string;
  told: { info: VideoInfo; json: unknown } | null;
}

/** Adds to a note what stands beside the file: a title that the note does not have, and where the site can be asked. */
export function notedOf(note: Note, beside: { title: string; page: string | null }): Noted {
  const { extractor, id, said } = note;
  const url = note.url || beside.page || '';
  const json = { title: beside.title, ...said, id, extractor_key: extractor, ...(url && { webpage_url: url }) };
  return { ...note, url, site: siteOf(extractor), told: id === null ? null : { info: readInfo(json), json } };
}

/** One video in a list of notes: what is noted, and the files it is said to have; or something that nobody understands. */
export type NoteEntry = { note: Note; names: string[] } | 'strange';

/** A list of notes that is not what it should be. */
export class NoNotes extends Error {}

/** Something with names and values, as JSON has it; null when it is anything else. */
export const asObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/** A text that says something; null when it is anything else. */
export const asText = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** How a file is called that a note names, below the folder of the notes; null when it would be somewhere else. */
export function placeBelow(name: string): string | null {
  const path = posix.normalize(name);
  return isAbsolute(path) || path === '..' || path.startsWith('../') || path.includes('\0') ? null : path;
}
