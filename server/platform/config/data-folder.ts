import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { access, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { workFolder } from '../files/files.ts';
import { isDiskFull } from '../files/free-space.ts';

/** Folder for videos to import. */
export const importFolder = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'import');

/** Path of the SQLite database. */
export const databaseFile = ({ dataFolder }: Pick<Config, 'dataFolder'>) => join(dataFolder, 'reelkeep.db');

const isOurs = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR', // the code that creates it reports the reason
  );

/**
 * Checks that the data folder and the files in it are accessible for this account.
 * @throws ConfigError
 */
async function refuseForeign({ dataFolder }: Pick<Config, 'dataFolder'>) {
  const { R_OK, W_OK, X_OK } = constants;
  const names = ['reelkeep.db', 'reelkeep.db-wal', 'reelkeep.db-shm', 'reelkeep.lock'];
  const required: [path: string, mode: number][] = [
    [dataFolder, R_OK | W_OK | X_OK],
    ...names.map((name): [string, number] => [join(dataFolder, name), R_OK | W_OK]),
    [join(dataFolder, 'secret.key'), R_OK],
  ];
  for (const [path, mode] of required) {
    if (await isOurs(path, mode)) continue;
    const { uid } = await stat(path).catch(() => ({ uid: '?' }));
    const me = process.getuid?.() ?? '?';
    throw new ConfigError(
      uid === me || me === 0
        ? `${path} may not be read and written: its disk is mounted for reading alone, or its mode says so. The program keeps everything there.`
        : `${path} belongs to user ${uid}, and user ${me} runs this, who may not read and write it. Run it as user ${uid}, or give it all to this one:\n  chown -R ${me}:${process.getgid?.() ?? '?'} '${dataFolder}'`,
    );
  }
}

/**
 * Creates the required folders.
 * @throws ConfigError if one cannot be created or written
 */
export async function makeFolders(config: Config) {
  const { dataFolder, mediaFolder, cacheFolder, role } = config;
  await refuseForeign(config);
  // A server with the role `web` downloads nothing, and its name may never return, as that of a container.
  const workFolders = role === 'web' ? [] : [workFolder(config)];
  for (const folder of [dataFolder, mediaFolder, ...workFolders, cacheFolder, importFolder(config)]) {
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      if (isDiskFull(error)) throw error;
      throw new ConfigError(
        `The folder ${folder} cannot be made: ${(error as Error).message}. Make it writable for user ${process.getuid?.()}.`,
      );
    }
  }
}

// Network file systems from statfs(2). SQLite locks are not reliable on them, which corrupts the database.
const networkTypes = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
]);

/**
 * Rejects a data folder on network storage.
 * @throws ConfigError
 */
export async function refuseNetworkStorage(dataFolder: string) {
  const { type } = await statfs(dataFolder);
  const name = networkTypes.get(type >>> 0);
  if (name)
    throw new ConfigError(
      `The data folder ${dataFolder} is on network storage (${name}), where a database breaks. Put it on a local disk; media may stay there (REELKEEP_MEDIA).`,
    );
}

/** Another process uses the data folder or the database. */
export class InUseError extends ConfigError {
  readonly place: string;
  constructor(place: string, instead: string) {
    super(`Another Reelkeep already works on ${place}. Stop it first, or give this one ${instead}.`);
    this.place = place;
  }
}

/**
 * Locks the data folder for the lifetime of the process with an exclusive lock on a SQLite database. The OS releases it even
 * after a kill.
 * @throws InUseError if another process holds it
 */
export function lockFolder(dataFolder: string): { release(): void } {
  const path = join(dataFolder, 'reelkeep.lock');
  // A process that can read the file can lock it, so only this account may.
  closeSync(openSync(path, 'a', 0o600));
  if (statSync(path).uid === process.getuid?.()) chmodSync(path, 0o600);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is stored in it, so no journal is written, for which a full disk would have no space.
    lock.exec('pragma journal_mode=memory; pragma locking_mode=exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new InUseError(dataFolder, 'another data folder (REELKEEP_DATA)');
  }
  return { release: () => lock.close() };
}

export const newRunId = () => randomUUID();
