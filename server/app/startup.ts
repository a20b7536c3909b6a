import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../platform/context/app-context.ts';
import { removePartialUploads } from '../platform/http/receive-file.ts';
import { backupFolder, removePartialBackups } from '../features/backup/files/backup-files.ts';
import { moveTrashFiles, removeUnknownTrashFolders } from '../archive/storage/trash-files.ts';
import { removeLeftTempDirs, removeOlder } from '../platform/process/temp-dir.ts';
import { databaseFile, importFolder } from '../platform/config/data-folder.ts';
import { removeStaging } from '../platform/db/copy/staging-database.ts';
import { releaseLeasesExcept } from '../archive/queue/claims.ts';
import { recoverDownloads } from '../archive/publish/recover.ts';
import { deleteExpiredSessions } from '../platform/http/auth/session.ts';
import { markMediaFolder } from '../archive/storage/mount-check.ts';
import { removeAbandonedUploads } from '../archive/storage/abandoned-uploads.ts';
import { deletePendingFiles } from '../archive/storage/pending-deletions.ts';
import { recoverReplacements } from '../archive/storage/replace-file.ts';
import { removePartialFiles } from '../archive/storage/remove-partial-files.ts';
import { removePartialRenditions } from '../features/rendition/rendition-cache.ts';
import { findTools } from '../archive/binaries/binaries.ts';
import { queueOutdatedFormats } from '../archive/video-json/refresh-response-cache.ts';

/** A startup step. Messages show its name if it fails. */
export interface StartupStep {
  name: string;
  /**
   * Cleans up what all nodes share. Skipped while another node runs, whose work it could be. `cache`: only without a bucket,
   * because with it each node has its own cache folder.
   */
  isShared?: true | 'cache';
  go(app: AppContext): Promise<unknown>;
}

/** Finds the programs and cleans up after an earlier run, in this order. */
export const cleanupSteps: StartupStep[] = [
  { name: 'programs', go: findTools },
  { name: 'backups', isShared: 'cache', go: (app) => removePartialBackups(app) },
  {
    name: 'partial uploads',
    isShared: true,
    async go(app) {
      for (const folder of [backupFolder(app), importFolder(app.config)]) await removePartialUploads(folder);
    },
  },
  {
    name: 'interrupted restore',
    isShared: true,
    go: ({ db, config }) => removeStaging({ db, path: databaseFile(config), databaseUrl: config.databaseUrl }),
  },
  { name: 'expired sessions', go: ({ db, now }) => deleteExpiredSessions(db, now()) },
  { name: 'media folder marker', go: markMediaFolder },
  { name: 'pending deletions', isShared: true, go: (app) => deletePendingFiles(app) },
  { name: 'abandoned uploads', go: (app) => removeAbandonedUploads(app) },
  { name: 'pending moves to or from the trash', isShared: true, go: (app) => moveTrashFiles(app) },
  { name: 'trash folder', isShared: true, go: removeUnknownTrashFolders },
  { name: 'file replacements', go: recoverReplacements },
  { name: 'partial images', isShared: 'cache', go: ({ config }) => removePartialFiles(config.cacheFolder) },
  { name: 'refresh cache', isShared: 'cache', go: ({ config }) => removeOlder(join(config.cacheFolder, 'refresh')) },
  { name: 'temporary folders', go: removeLeftTempDirs },
  { name: 'partial renditions', isShared: 'cache', go: removePartialRenditions },
  { name: 'serialized videos', go: queueOutdatedFormats },
];

/** Runs steps independently: a failure is reported and does not prevent the other steps. */
export async function runEach(app: AppContext, steps: StartupStep[]): Promise<void> {
  const isAlone = (await app.nodes.otherRuns()).length === 0;
  for (const { name, isShared, go } of steps) {
    if (isShared && !isAlone && !(isShared === 'cache' && app.files.isRemote)) continue;
    try {
      await go(app);
    } catch (error) {
      app.health.failedSteps.push(name);
      app.log.error({ step: name, err: error }, 'a clean-up step failed; startup continues');
    }
  }
}

const againMs = 5_000;

/**
 * Runs the steps that background work requires, in order; retries a failed step until it succeeds or `signal` fires. Resolves
 * when all are done or one has failed for the first time; `over` resolves when no retry is left.
 */
export async function runRequired(app: AppContext, needed: StartupStep[], signal: AbortSignal): Promise<{ over: Promise<void> }> {
  const { health, log } = app;
  const left = [...needed];
  const attempt = async () => {
    const [next] = left;
    if (!next || signal.aborted) return;
    try {
      await next.go(app);
      left.shift();
    } catch (error) {
      health.work = { failedStep: `${next.name}: ${(error as Error).message}` };
      log.error({ step: next.name, err: error }, 'cannot start background work; retrying');
      return;
    }
    await attempt();
  };
  await attempt();
  const runRemainingSteps = async () => {
    while (left.length > 0 && !signal.aborted) {
      await wait(againMs, undefined, { signal }).catch(() => undefined);
      await attempt();
    }
    if (left.length === 0) health.work = 'begun';
  };
  if (left.length === 0) health.work = 'begun';
  return { over: runRemainingSteps() };
}

/**
 * Releases the leases of the download queue, then recovers interrupted downloads. Items with a lease count as being processed.
 */
export const takeOverDownloads: StartupStep = {
  name: 'download queue',
  async go(app) {
    await releaseLeasesExcept(app.db, await app.nodes.otherRuns());
    await runEach(app, [{ name: 'downloads', go: recoverDownloads }]);
  },
};
