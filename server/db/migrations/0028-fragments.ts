import { sql, type Kysely } from 'kysely';

// What a piece of the original program stands for, and how many of them a track has room for, when this was written.
const linesInPiece = 5;
const highestPiece = 16_383;

interface KeptLine {
  lang: string;
  position: number;
}

/**
 * Pieces of about five cues that came from a backup of the original program stood one after the other, from 1 on, as if each were
 * one cue: a search showed the words of another one. Each takes the place of five now, so that it is found, and shown, as the
 * piece that it was. Every other track begins with 0. Triggers tell the index.
 * @public
 */
export async function up(db: Kysely<never>) {
  const run = (text: string) => sql.raw(text).execute(db);
  const those = `(video_id, lang) in (select video_id, lang from line group by video_id, lang having min(position) >= 1)`;
  await run(`delete from line where position > ${highestPiece} and ${those}`);
  // Through negative numbers, so that none of them takes a place that another one still has.
  await run(`update line set position = -1 - (position - 1) * ${linesInPiece} where ${those}`);
  await run('update line set position = -1 - position where position < 0');
  await moveInBin(db);
}

/** The same for videos that rest in the bin. */
async function moveInBin(db: Kysely<never>) {
  const kept = await sql<{ bin: number }>`select distinct bin_number as bin from bin_rows where of_table = 'line'`.execute(db);
  for (const { bin } of kept.rows) {
    const ofBin = sql`bin_number = ${bin} and of_table = 'line'`;
    const parts = await sql<{ part: number; lines: string }>`select part, "rows" as lines from bin_rows where ${ofBin}`.execute(
      db,
    );
    const read = parts.rows.map(({ part, lines }) => ({ part, lines: JSON.parse(lines) as KeptLine[] }));
    const whole = new Set(read.flatMap(({ lines }) => lines.filter(({ position }) => position === 0).map(({ lang }) => lang)));
    for (const { part, lines } of read) {
      if (lines.every(({ lang }) => whole.has(lang))) continue;
      const moved = lines
        .filter(({ lang, position }) => whole.has(lang) || position <= highestPiece)
        .map((line) => (whole.has(line.lang) ? line : { ...line, position: (line.position - 1) * linesInPiece }));
      await sql`update bin_rows set "rows" = ${JSON.stringify(moved)} where ${ofBin} and part = ${part}`.execute(db);
    }
  }
}
