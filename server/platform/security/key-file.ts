import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-error.ts';
import { exists, writeAtomically } from '../files/files.ts';
import type { Config } from '../config/config.ts';
import type { Keys } from './encryption.ts';

// The keys are concatenated, the current one first. There are several during a key rotation or after an interrupted one.

const keyBytes = 32;
const fileOf = (dataFolder: string) => join(dataFolder, 'secret.key');

/** Writes the key file atomically with mode 600. */
export const writeKeys = (dataFolder: string, all: readonly Buffer[]) =>
  writeAtomically(fileOf(dataFolder), Buffer.concat(all), { mode: 0o600 });

export const newKey = () => randomBytes(keyBytes);

function readKeys(path: string): Buffer[] {
  const bytes = readFileSync(path);
  if (bytes.length === 0 || bytes.length % keyBytes !== 0)
    throw new ConfigError(
      `${path} is damaged (it must have ${keyBytes} bytes, or a multiple of that). Restore it from a backup, or delete it: new API tokens are then created.`,
    );
  return Array.from({ length: bytes.length / keyBytes }, (_, index) => bytes.subarray(index * keyBytes, (index + 1) * keyBytes));
}

/** What says where the keys are. */
export type KeyConfig = Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'keys'>>;

/**
 * Returns the keys for encryption and signatures: those of REELKEEP_KEY, or of the key file, which is created at the first start.
 * The file is read again when it changes; if it cannot be read, the known keys stay in use.
 */
export async function openKeys({ dataFolder, keys: configured }: KeyConfig): Promise<Keys> {
  if (configured) return { present: configured[0]!, all: configured };
  const path = fileOf(dataFolder);
  if (!(await exists(path))) await writeKeys(dataFolder, [newKey()]);
  const stampOf = () => {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  };
  let stamp = stampOf();
  let known: readonly Buffer[] = readKeys(path);
  const look = () => {
    try {
      const now = stampOf();
      if (now !== stamp) [known, stamp] = [readKeys(path), now];
    } catch {
      // the known keys
    }
    return known;
  };
  return {
    get present() {
      return look()[0]!;
    },
    get all() {
      return look();
    },
  };
}
