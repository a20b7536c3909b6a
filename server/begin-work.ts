import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Archive } from './archive.ts';
import { tidyFolder } from './backup/folder.ts';
import { settleFiles, tidyBin } from './bin/files.ts';
import { removeLeftScratch, removeOlder } from './child/scratch.ts';
import { databaseFile } from './data-folder.ts';
import { removeStaging } from './db/staging.ts';
import { freeAll } from './download/free-all.ts';
import { recoverIncoming } from './download/recover.ts';
import { forgetOldSessions } from './http/session.ts';
import { markMediaFolder } from './library/media-marker.ts';
import { removePending } from './library/removal.ts';
import { recoverSwaps } from './library/swap.ts';
import { removeHalfMade } from './media/half-made.ts';
import { removeHalfMadeRenditions } from './rendition/keep.ts';
import { findTools } from './tools.ts';
import { wantOtherForms } from './video/keep-written.ts';

/** Something that a start does; `name` tells people what, where it could not be done. */
export interface Step {
  name: string;
  go(archive: Archive): Promise<unknown>;
}

/** Finding the programs, and what puts right what an earlier run left; in this order. */
export const tidying: Step[] = [
  { name: 'programs', go: findTools },
  { name: 'backups', go: (archive) => tidyFolder(archive, { uploads: true }) },
  {
    name: 'a restore that was cut off',
    go: ({ db, config }) => removeStaging({ db, path: databaseFile(config), databaseUrl: config.databaseUrl }),
  },
  { name: 'old sessions', go: ({ db, now }) => forgetOldSessions(db, now()) },
  { name: 'the mark of the media folder', go: markMediaFolder },
  { name: 'files to be removed', go: (archive) => removePending(archive) },
  { name: 'files on their way to or from the bin', go: (archive) => settleFiles(archive) },
  { name: 'the bin', go: tidyBin },
  { name: 'files that take the place of others', go: recoverSwaps },
  { name: 'pictures', go: ({ config }) => removeHalfMade(config.cacheFolder) },
  { name: 'what was looked up anew', go: ({ config }) => removeOlder(join(config.cacheFolder, 'refresh')) },
  { name: 'folders for a while', go: removeLeftScratch },
  { name: 'sounds', go: removeHalfMadeRenditions },
  { name: 'what is sent of videos', go: wantOtherForms },
];

/** Does the steps, each for itself: what goes wrong with one is told, and keeps no other from being done. */
export async function doEach(archive: Archive, steps: Step[]): Promise<void> {
  for (const { name, go } of steps) {
    try {
      await go(archive);
    } catch (error) {
      archive.troubles.untidy.push(name);
      archive.log.error({ step: name, err: error }, 'what an earlier run left could not be put right; work begins all the same');
    }
  }
}

const againMs = 5_000;

/**
 * Does what work cannot begin without, one after the other; what fails is tried again until it is done or the program ends.
 * Resolves after the first attempt at the one that fails, or when all are done; `over` resolves when nothing is tried any more.
 */
export async function beginNeeded(archive: Archive, needed: Step[], signal: AbortSignal): Promise<{ over: Promise<void> }> {
  const { troubles, log } = archive;
  const left = [...needed];
  const attempt = async () => {
    const [next] = left;
    if (!next || signal.aborted) return;
    try {
      await next.go(archive);
      left.shift();
    } catch (error) {
      troubles.work = { couldNot: `${next.name}: ${(error as Error).message}` };
      log.error({ step: next.name, err: error }, 'background work could not begin; it is tried again');
      return;
    }
    await attempt();
  };
  await attempt();
  const goOn = async () => {
    while (left.length > 0 && !signal.aborted) {
      await wait(againMs, undefined, { signal }).catch(() => undefined);
      await attempt();
    }
    if (left.length === 0) troubles.work = 'begun';
  };
  if (left.length === 0) troubles.work = 'begun';
  return { over: goOn() };
}

/** Frees the queue of downloads, and then puts right what an earlier run left of them: what is held is taken for somebody's at work. */
export const takeOverDownloads: Step = {
  name: 'the queue of downloads',
  async go(archive) {
    await freeAll(archive);
    await doEach(archive, [{ name: 'downloads', go: recoverIncoming }]);
  },
};
