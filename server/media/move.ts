import { copyFile, link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compare, exists, makeShelf, removeFile, syncFile, syncFolder, Taken } from './shelf.ts';

/** A file and the name that it is to have. */
export interface Move {
  from: string;
  to: string;
}

/** What became of a move: it has its new name, there is no such file, or why it stays where it is. */
export type Moved = 'moved' | 'absent' | { problem: unknown };

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** On another file system, a folder that is a mount or a link of its own: only there it is copied, beside, and compared. */
async function copyOver({ from, to }: Move) {
  const beside = `${to}.part`;
  try {
    await copyFile(from, beside);
    await syncFile(beside);
    if ((await compare(from, beside)) === 'different') throw new Error(`What was copied to ${beside} is not what was read.`);
    await rename(beside, to);
  } finally {
    await removeFile(beside);
  }
}

/** Gives a file a second name, so that at no moment it has none. What has the name is never overwritten. */
async function nameAnew(move: Move): Promise<void> {
  const { from, to } = move;
  await makeShelf(dirname(to));
  try {
    await link(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code !== 'EEXIST' && code !== 'EXDEV' && !noLinks.includes(code)) throw error;
    if (await exists(to)) {
      // Of an earlier start that was cut off between the two names.
      if ((await compare(from, to)) === 'different') throw new Taken(to);
    } else if (code === 'EXDEV') await copyOver(move);
    else await rename(from, to);
  }
}

/**
 * Moves files, each for itself, without copying where a file system can do so; what it says survives a power cut. A file
 * that an earlier start has moved counts as moved. Never throws.
 */
export async function moveFiles(moves: Move[]): Promise<Moved[]> {
  const each = async (work: () => Promise<Moved>): Promise<Moved> => work().catch((problem: unknown) => ({ problem }));
  const found: Moved[] = [];
  for (const move of moves)
    found.push(
      await each(async () => {
        if (!(await exists(move.from))) return (await exists(move.to)) ? 'moved' : 'absent';
        await nameAnew(move);
        return 'moved';
      }),
    );
  const folders = (of: 'from' | 'to') =>
    new Set(moves.filter((_, place) => found[place] === 'moved').map((move) => dirname(move[of])));
  const synced = await each(async () => {
    for (const folder of folders('to')) await syncFolder(folder);
    return 'moved';
  });
  // Before the new names are sure to last, the old ones stay.
  if (synced !== 'moved') return found.map((one) => (one === 'moved' ? synced : one));
  for (const [place, { from }] of moves.entries())
    if (found[place] === 'moved')
      found[place] = await each(async () => {
        await removeFile(from);
        return 'moved';
      });
  // A folder that is gone meanwhile has no old names either.
  for (const folder of folders('from')) await syncFolder(folder).catch(() => undefined);
  return found;
}
