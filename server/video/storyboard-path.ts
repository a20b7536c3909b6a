import type { Tx } from '../db/db.ts';

const place = (videoId: string) => `storyboards/${videoId[0]!.toLowerCase()}/${videoId}`;

/** Where the list of a video's previews stands below the cache folder. */
export const storyboardPath = (videoId: string) => `${place(videoId)}.vtt`;

/** Where a sheet of them stands, from 0. */
export const storyboardSheetPath = (videoId: string, sheet: number) => `${place(videoId)}_${sheet}.jpg`;

/** The list's address. */
export const storyboardUrl = (videoId: string) => `/cache/${storyboardPath(videoId)}`;

/** All of their files, below the cache folder. */
export const storyboardPaths = (videoId: string, sheets: number) => [
  storyboardPath(videoId),
  ...Array.from({ length: sheets }, (_, sheet) => storyboardSheetPath(videoId, sheet)),
];

/** The files of the previews that a video has, below the cache folder. */
export async function storyboardFilesOf(tx: Tx, videoId: string): Promise<string[]> {
  const row = await tx.selectFrom('storyboard').select('sheets').where('videoId', '=', videoId).executeTakeFirst();
  return row && row.sheets > 0 ? storyboardPaths(videoId, row.sheets) : [];
}
