import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigProblem } from './config-problem.ts';
import type { Config } from './config.ts';
import { incomingFolder } from './media/shelf.ts';

/** Where people put videos that they have already, to be brought into the archive. */
export const importFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'import');

/** The SQLite database. */
export const databaseFile = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'reelkeep.db');

const isOurs = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR', // whoever makes it says why it cannot be
  );

/** Throws ConfigProblem where the data folder, or what the program itself keeps in it, is not for this account to read and write. */
async function refuseForeign({ dataFolder }: Pick<Config, 'dataFolder'>) {
  const { R_OK, W_OK, X_OK } = constants;
  const names = ['reelkeep.db', 'reelkeep.db-wal', 'reelkeep.db-shm', 'reelkeep.lock'];
  const wanted: [path: string, mode: number][] = [
    [dataFolder, R_OK | W_OK | X_OK],
    ...names.map((name): [string, number] => [join(dataFolder, name), R_OK | W_OK]),
    [join(dataFolder, 'secret.key'), R_OK],
  ];
  for (const [path, mode] of wanted) {
    if (await isOurs(path, mode)) continue;
    const { uid } = await stat(path).catch(() => ({ uid: '?' }));
    const me = process.getuid?.() ?? '?';
    throw new ConfigProblem(
      uid === me || me === 0
        ? `${path} may not be read and written: its disk is mounted for reading alone, or its mode says so. The program keeps everything there.`
        : `${path} belongs to user ${uid}, and user ${me} runs this, who may not read and write it. Run it as user ${uid}, or give it all to this one:\n  chown -R ${me}:${process.getgid?.() ?? '?'} '${dataFolder}'`,
    );
  }
}

/** Makes the folders that the archive needs. Throws ConfigProblem when one cannot be made or written. */
export async function makeFolders(config: Config) {
  const { dataFolder, mediaFolder, cacheFolder } = config;
  await refuseForeign(config);
  for (const folder of [dataFolder, mediaFolder, incomingFolder(mediaFolder), cacheFolder, importFolder(config)]) {
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
      throw new ConfigProblem(
        `The folder ${folder} cannot be made: ${(error as Error).message}. Make it writable for user ${process.getuid?.()}.`,
      );
    }
  }
}

// From statfs(2): file systems on which SQLite's locks do not hold, so that a database there breaks sooner or later.
const networkTypes = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
]);

/** Throws ConfigProblem when the data folder, where the database lives, is on network storage. */
export async function refuseNetworkStorage(dataFolder: string) {
  const { type } = await statfs(dataFolder);
  const name = networkTypes.get(type >>> 0);
  if (name)
    throw new ConfigProblem(
      `The data folder ${dataFolder} is on network storage (${name}), where a database breaks. Put it on a local disk; media may stay there (REELKEEP_MEDIA).`,
    );
}

/** Another program works on what this one wants to. */
export class InUse extends ConfigProblem {
  readonly place: string;
  constructor(place: string, instead: string) {
    super(`Another Reelkeep already works on ${place}. Stop it first, or give this one ${instead}.`);
    this.place = place;
  }
}

/**
 * Holds the data folder for as long as the program lives: an exclusive lock on a database of its own, which the system
 * lets go of even after a kill. Throws InUse when another program holds it.
 */
export function holdFolder(dataFolder: string): { release(): void } {
  const lock = new DatabaseSync(join(dataFolder, 'reelkeep.lock'), { timeout: 0 });
  try {
    // Nothing is ever kept in it, so nothing of it need be written down, for which a full disk would have no room.
    lock.exec('pragma journal_mode=memory; pragma locking_mode=exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new InUse(dataFolder, 'a data folder of its own (REELKEEP_DATA)');
  }
  return { release: () => lock.close() };
}

export const newRunId = () => randomUUID();
