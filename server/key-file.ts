import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigProblem } from './config-problem.ts';
import { exists, writeWhole } from './media/shelf.ts';
import type { Keys } from './seal.ts';

// The keys one after the other, the present one first. There are more while a change of key is under way, or was cut off.

const keyBytes = 32;
const fileOf = (dataFolder: string) => join(dataFolder, 'secret.key');

/** Writes the key file anew, readable for this user alone; at every moment the old one or the new one is there. */
export const writeKeys = (dataFolder: string, all: readonly Buffer[]) =>
  writeWhole(fileOf(dataFolder), Buffer.concat(all), { mode: 0o600 });

export const newKey = () => randomBytes(keyBytes);

function readKeys(path: string): Buffer[] {
  const bytes = readFileSync(path);
  if (bytes.length === 0 || bytes.length % keyBytes !== 0)
    throw new ConfigProblem(
      `${path} is damaged (it must have ${keyBytes} bytes, or a multiple of that). Restore it from a backup, or remove it: API tokens are then made anew.`,
    );
  return Array.from({ length: bytes.length / keyBytes }, (_, place) => bytes.subarray(place * keyBytes, (place + 1) * keyBytes));
}

/**
 * The keys that seal tokens and sign links: one is made at the first start. They are read again when the file has become
 * another one; where it cannot be read any more, those that were known go on.
 */
export async function openKeys(dataFolder: string): Promise<Keys> {
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
      // those that were known
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
