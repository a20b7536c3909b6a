import { z } from 'zod';
import { chunks, type Tx } from '../db/db.ts';
import type { Cue } from '../media/subtitle.ts';

/** One cue of a subtitle as it is searched: text only, on one line. */
export const Line = z.object({
  lang: z.string(),
  position: z.int().min(0),
  startSeconds: z.number(),
  endSeconds: z.number(),
  text: z.string(),
});
type Line = z.infer<typeof Line>;

/** The cues of a track as lines to search in. */
export const linesOf = (lang: string, cues: Cue[]): Line[] =>
  cues.map(({ start, end, text }, position) => ({
    lang,
    position,
    startSeconds: start,
    endSeconds: end,
    text: text.replaceAll('\n', ' '),
  }));

/** Writes what is spoken in a video over what was there. */
export async function saveLines(tx: Tx, videoId: string, lines: Line[]): Promise<void> {
  await tx.deleteFrom('line').where('videoId', '=', videoId).execute();
  await addLines(tx, videoId, lines);
}

async function addLines(tx: Tx, videoId: string, lines: Line[]) {
  for (const part of chunks(lines, 500))
    await tx
      .insertInto('line')
      .values(part.map((line) => ({ ...line, videoId })))
      .execute();
}

/** The same for one language; the others stay. */
export async function saveLinesOf(tx: Tx, videoId: string, { lang, lines }: { lang: string; lines: Line[] }): Promise<void> {
  await tx.deleteFrom('line').where('videoId', '=', videoId).where('lang', '=', lang).execute();
  await addLines(tx, videoId, lines);
}
