import { z } from 'zod';
import { chunks, type Tx } from '../../platform/db/db.ts';
import type { Cue } from '../../platform/media/subtitle.ts';

/** A subtitle cue for the search: plain text on one line. */
export const TranscriptLine = z.object({
  lang: z.string(),
  position: z.int().min(0),
  startSeconds: z.number(),
  endSeconds: z.number(),
  text: z.string(),
});
type Line = z.infer<typeof TranscriptLine>;

/** Converts the cues of a subtitle track to transcript lines. */
export const transcriptLines = (lang: string, cues: Cue[]): Line[] =>
  cues.map(({ start, end, text }, position) => ({
    lang,
    position,
    startSeconds: start,
    endSeconds: end,
    text: text.replaceAll('\n', ' '),
  }));

/** Replaces the transcript of a video in all languages. */
export async function saveTranscript(tx: Tx, videoId: string, lines: Line[]): Promise<void> {
  await tx.deleteFrom('transcriptLine').where('videoId', '=', videoId).execute();
  await addLines(tx, videoId, lines);
}

async function addLines(tx: Tx, videoId: string, lines: Line[]) {
  for (const part of chunks(lines, 500))
    await tx
      .insertInto('transcriptLine')
      .values(part.map((line) => ({ ...line, videoId })))
      .execute();
}

/** Replaces the transcript of a video in one language. */
export async function saveTranscriptOf(tx: Tx, videoId: string, { lang, lines }: { lang: string; lines: Line[] }): Promise<void> {
  await tx.deleteFrom('transcriptLine').where('videoId', '=', videoId).where('lang', '=', lang).execute();
  await addLines(tx, videoId, lines);
}
