import type { Tx } from '../../platform/db/db.ts';

const basePath = (videoId: string) => `storyboards/${videoId[0]!.toLowerCase()}/${videoId}`;

/** Path of the VTT file of a storyboard, relative to the cache folder. */
export const storyboardPath = (videoId: string) => `${basePath(videoId)}.vtt`;

/** Path of a storyboard sheet (from 0), relative to the cache folder. */
export const storyboardSheetPath = (videoId: string, sheet: number) => `${basePath(videoId)}_${sheet}.jpg`;

export const storyboardUrl = (videoId: string) => `/cache/${storyboardPath(videoId)}`;
export const storyboardSheetUrl = (videoId: string, sheet: number) => `/cache/${storyboardSheetPath(videoId, sheet)}`;

/** Paths of all files of a storyboard, relative to the cache folder. */
export const storyboardPaths = (videoId: string, sheets: number) => [
  storyboardPath(videoId),
  ...Array.from({ length: sheets }, (_, sheet) => storyboardSheetPath(videoId, sheet)),
];

/** Returns the storyboard files of a video, relative to the cache folder. */
export async function storyboardFilesOf(tx: Tx, videoId: string): Promise<string[]> {
  const row = await tx.selectFrom('storyboard').select('sheets').where('videoId', '=', videoId).executeTakeFirst();
  return row && row.sheets > 0 ? storyboardPaths(videoId, row.sheets) : [];
}
