import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { countRows } from '../db/copy.ts';
import { countQueueFrom } from '../db/counted.ts';
import { dataTables } from '../db/kept.ts';
import type { Db } from '../db/db.ts';
import { checkFile } from '../db/sqlite-snapshot.ts';
import { openStaging, type Present, type Staging } from '../db/staging.ts';
import { databaseFile } from '../data-folder.ts';
import { freeBytes } from '../download/room-left.ts';
import { exists } from '../media/shelf.ts';
import type { Report } from '../task/task.ts';
import { checkBackup } from './check.ts';
import { counted, type Counted } from '../counted.ts';
import type { Part } from './folder.ts';
import { loadRows } from './load.ts';
import { keyMarkOf, type Manifest } from './manifest.ts';
import { placeOf } from './pictures.ts';
import {
  carrySessions,
  carryWork,
  countLeftOut,
  dropUnreadable,
  freed,
  markMissing,
  numbersFrom,
  renumber,
  taskIsOver,
  wishForPictures,
} from './settle.ts';
import { BadBackup, openZip } from './zip.ts';

/** A restore: of what, and who hears of it. */
export interface Restoring {
  part: Omit<Part, 'db'> & { db: Db | null };
  /** The task that does it; none from a console. */
  taskId?: string;
  signal: AbortSignal;
  report(now: Report): void;
  skip(what: string, why: unknown): void;
  /** Makes the archive quiet: nothing is written to it from here on. */
  quiet(): Promise<void>;
  /** Where the present database goes that is damaged, and that nobody can have open. */
  aside?: string;
  /** Keeps the present state, so that this can be undone; answers how it is called. */
  keepPresent(): Promise<string>;
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
const presentOf = ({ part: { config, db }, aside }: Restoring): Present => ({
  db,
  path: databaseFile(config),
  databaseUrl: config.databaseUrl,
  ...(aside && { aside }),
});

/** What a backup holds, beside what is here, in a sentence or two. */
async function comparison(manifest: Manifest, db: Db | null): Promise<string> {
  const shown: Record<string, Counted> = {
    video: { one: 'video', other: 'videos' },
    channel: { one: 'channel', other: 'channels' },
    playlist: { one: 'playlist', other: 'playlists' },
    account: { one: 'account', other: 'accounts' },
    watch: { one: 'watched mark or place', other: 'watched marks and places' },
    comment: { one: 'comment', other: 'comments' },
  };
  const counts = await Promise.all(
    Object.entries(shown).map(async ([table, words]) => {
      const here = db ? await countRows(db, table as 'video').catch(() => null) : null;
      return `${counted(manifest.tables[table]?.rows ?? 0, words)}${here === null ? '' : ` (${here} here)`}`;
    }),
  );
  return `Made on ${dayOf(manifest.createdAt)} UTC by Reelkeep ${manifest.program}: ${counts.join(', ')}.`;
}

/** Puts the pictures of a backup where none stands. They do no harm where nothing comes of the restore. */
async function bringPictures({ part, signal }: Restoring, path: string, manifest: Manifest) {
  if (manifest.files.length === 0) return;
  const zip = await openZip(path);
  try {
    for (const { name } of manifest.files) {
      const to = placeOf(part.config, name);
      const entry = zip.entries.get(name);
      if (!to || !entry)
        throw new BadBackup(`The backup holds a file that is not known here: ${JSON.stringify(name.slice(0, 100))}.`);
      if (await exists(to)) continue;
      await mkdir(dirname(to), { recursive: true });
      try {
        await pipeline(Readable.from(entry.read(signal)), createWriteStream(`${to}.part`));
        await rename(`${to}.part`, to);
      } finally {
        await rm(`${to}.part`, { force: true });
      }
    }
  } finally {
    zip.close();
  }
}

/** The last steps, for every kind of restore: what came is put right, looked over, and takes the place of what is here. */
async function finish(work: Restoring, staging: Staging, from: number, kept: string, result: string): Promise<string> {
  const { part, taskId, report, skip } = work;
  const { db: live } = part;
  report({ messages: ['Restoring from backup.', 'Looking it over.'], progress: 0.9 });
  const lost = await dropUnreadable(staging.db, part.keys);
  if (lost.length > 0)
    skip(
      'Sealed with another key file, so it must be given again',
      `${lost.slice(0, 10).join(', ')}${lost.length > 10 ? ' …' : ''}.`,
    );
  const gone = await markMissing(part, staging.db);
  const complaints = await staging.complaints();
  if (complaints.length > 0) throw new Error(`What came is not sound: ${complaints[0]} Nothing was changed.`);
  await carrySessions(staging.db, live);
  const leftOut = await countLeftOut(live, staging.db);
  const says = [
    result,
    ...(gone > 0 ? [`Videos without a file here, which are marked: ${gone}.`] : []),
    ...(leftOut > 0
      ? [`Videos that are here and not in it: ${leftOut}; their files stay on the shelf, and a rescan takes them in again.`]
      : []),
    `What was here before is kept as ${kept}.`,
  ].join(' ');
  report({ messages: ['Restoring from backup.', 'Taking the place of what is here.'], progress: 0.98 });
  await staging.replace(async (db) => {
    await countQueueFrom(db, from);
    // A file takes the place of the whole; on PostgreSQL what is not data stays where it is.
    if (!part.config.databaseUrl) await carryWork(db, live);
    if (taskId) await taskIsOver(db, taskId, { result: says, now: part.now() });
    await wishForPictures(db, part.now());
  });
  return says;
}

async function refuseWithoutRoom({ part }: Restoring, bytes: number) {
  // The new database beside the old one, and once more while it takes its place.
  const [free, wanted] = [await freeBytes(part.config.dataFolder), bytes * 2 + 20_000_000];
  if (free < wanted)
    throw new Error(
      `Only ${(free / 1e6).toFixed(0)} MB are free in ${part.config.dataFolder}, and the restore may take ${(wanted / 1e6).toFixed(0)} MB. Make room, then start it again. Nothing was changed.`,
    );
}

/** Puts a backup of ours in the place of what is here: all of it, or nothing. Answers the sentence of the result. */
export async function restoreOurs(work: Restoring, path: string, { dryRun }: { dryRun: boolean }): Promise<string> {
  const { part, signal, report, skip } = work;
  report({ messages: ['Restoring from backup.', 'Reading it.'] });
  const checking = (share: number) => report({ messages: ['Restoring from backup.', 'Reading it.'], progress: share * 0.3 });
  const { manifest, rows, bytes } = await checkBackup(path, { signal, report: checking });
  const about = await comparison(manifest, part.db);
  if (!part.keys.all.some((key) => keyMarkOf(key) === manifest.keyMark))
    skip(
      'Another key file',
      'It was made with another secret.key: API tokens, cookies and notification URLs cannot be opened and are left out.',
    );
  if (dryRun) return `${about} It is whole, and would replace what is here. Nothing was changed.`;
  await refuseWithoutRoom(work, bytes);
  await work.quiet();
  const kept = await work.keepPresent();
  await bringPictures(work, path, manifest);
  const staging = await openStaging(presentOf(work));
  const zip = await openZip(path);
  try {
    await staging.migrate(manifest.migration);
    const from = await numbersFrom(part, part.db);
    let done = 0;
    await loadRows(zip, manifest, staging, {
      signal,
      adjust: (table, row) => (table === 'download' ? freed(row, from) : row),
      step(some) {
        done += some;
        report({
          messages: ['Restoring from backup.', `${done} of ${rows} entries.`],
          progress: 0.3 + (done / Math.max(1, rows)) * 0.6,
        });
      },
    });
    for (const table of dataTables) {
      if (!manifest.tables[table]) continue;
      const [came, promised] = [await countRows(staging.db, table), manifest.tables[table].rows];
      if (came !== promised) throw new Error(`${came} of ${promised} entries of ${table} came. Nothing was changed.`);
    }
    await staging.migrate();
    return await finish(work, staging, from, kept, `backup restore completed. ${about}`);
  } finally {
    zip.close();
    await staging.discard();
  }
}

/** Goes back to a snapshot, a whole database file of ours: all of it, or nothing. */
export async function restoreFile(work: Restoring, path: string, name: string): Promise<string> {
  const { part, report } = work;
  const present = presentOf(work);
  const found = await checkFile(path);
  if (found !== 'ok') throw new Error(`The snapshot is damaged (${found}), so nothing was changed. Take another one.`);
  await work.quiet();
  const kept = await work.keepPresent();
  report({ messages: ['Restoring from snapshot.'], progress: 0.2 });
  const staging = await openStaging(present, path);
  try {
    await staging.migrate();
    const from = await numbersFrom(part, part.db);
    await renumber(staging.db, from);
    return await finish(work, staging, from, kept, `Back at the snapshot ${name}.`);
  } finally {
    await staging.discard();
  }
}
