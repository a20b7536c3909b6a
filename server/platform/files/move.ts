import { copyFile, link, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { compareFiles, exists, makeMediaFolders, removeFile, syncFile, syncFolder, PathTakenError } from './files.ts';

/** A file and its new path. */
export interface Move {
  from: string;
  to: string;
}

/** Result of a move: done, no such file, or the error. */
export type Moved = 'moved' | 'absent' | { problem: unknown };

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Copies a file to another file system (a folder that is a mount or a link) under a temporary name and compares it. */
async function copyAcrossFileSystems({ from, to }: Move) {
  const tempPath = `${to}.part`;
  try {
    await copyFile(from, tempPath);
    await syncFile(tempPath);
    if ((await compareFiles(from, tempPath)) === 'different')
      throw new Error(`What was copied to ${tempPath} is not what was read.`);
    await rename(tempPath, to);
  } finally {
    await removeFile(tempPath);
  }
}

/** Links a file to a second path, so that it always has one. Existing files are not overwritten. */
async function linkOrRename(move: Move): Promise<void> {
  const { from, to } = move;
  await makeMediaFolders(dirname(to));
  try {
    await link(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code !== 'EEXIST' && code !== 'EXDEV' && !noLinks.includes(code)) throw error;
    if (await exists(to)) {
      // Left by an earlier start that was interrupted between both steps.
      if ((await compareFiles(from, to)) === 'different') throw new PathTakenError(to);
    } else if (code === 'EXDEV') await copyAcrossFileSystems(move);
    else await rename(from, to);
  }
}

/**
 * Moves files independently, without copying if possible. Results are synced to disk. A file that an earlier start has moved
 * counts as moved. Never throws.
 */
export async function moveFiles(moves: Move[]): Promise<Moved[]> {
  const each = async (work: () => Promise<Moved>): Promise<Moved> => work().catch((problem: unknown) => ({ problem }));
  const found: Moved[] = [];
  for (const move of moves)
    found.push(
      await each(async () => {
        if (!(await exists(move.from))) return (await exists(move.to)) ? 'moved' : 'absent';
        await linkOrRename(move);
        return 'moved';
      }),
    );
  const folders = (of: 'from' | 'to') =>
    new Set(moves.filter((_, index) => found[index] === 'moved').map((move) => dirname(move[of])));
  const synced = await each(async () => {
    for (const folder of folders('to')) await syncFolder(folder);
    return 'moved';
  });
  // The old names are deleted only after the new ones are synced.
  if (synced !== 'moved') return found.map((one) => (one === 'moved' ? synced : one));
  for (const [index, { from }] of moves.entries())
    if (found[index] === 'moved')
      found[index] = await each(async () => {
        await removeFile(from);
        return 'moved';
      });
  // A source folder that was deleted meanwhile needs no sync.
  for (const folder of folders('from')) await syncFolder(folder).catch(() => undefined);
  return found;
}
