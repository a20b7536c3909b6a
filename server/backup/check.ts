import { createHash } from 'node:crypto';
import { dataTables } from '../db/kept.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { BadBackup, openZip, type Zip } from './zip.ts';

const newline = 0x0a;

/** Reads one entry to its end and compares it with what the manifest says of it. */
async function checkEntry(zip: Zip, said: { name: string; bytes: number; sha256: string; rows?: number }, signal: AbortSignal) {
  const entry = zip.entries.get(said.name);
  if (!entry) throw new BadBackup(`${said.name} is missing from the ZIP.`);
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const piece of entry.read(signal)) {
    hash.update(piece);
    bytes += piece.length;
    if (said.rows !== undefined) for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++;
  }
  if (bytes !== said.bytes || hash.digest('hex') !== said.sha256 || (said.rows ?? lines) !== lines)
    throw new BadBackup(`${said.name} in the ZIP is not what was backed up: its sum, or its number of entries, is another.`);
}

/**
 * Reads a backup of ours from the first byte to the last and compares every sum and every count. Throws BadBackup with what is
 * wrong first. `report` hears how much is done, 0–1.
 */
export async function checkBackup(
  path: string,
  { signal, report = () => {} }: { signal: AbortSignal; report?: (share: number) => void },
): Promise<{ manifest: Manifest; rows: number; bytes: number }> {
  const zip = await openZip(path);
  try {
    const manifest = await readManifest(zip);
    let [done, rows] = [0, 0];
    for (const [table, { parts, rows: promised }] of Object.entries(manifest.tables)) {
      if (!dataTables.includes(table as (typeof dataTables)[number]))
        throw new BadBackup(`The backup holds a table that is not known here: ${JSON.stringify(table)}.`);
      let found = 0;
      for (const one of parts) {
        await checkEntry(zip, one, signal);
        found += one.rows;
        done += one.bytes;
        report(done / Math.max(1, zip.bytes));
      }
      if (found !== promised) throw new BadBackup(`The backup promises ${promised} entries of ${table} and holds ${found}.`);
      rows += found;
    }
    for (const file of manifest.files) await checkEntry(zip, file, signal);
    return { manifest, rows, bytes: zip.bytes };
  } finally {
    zip.close();
  }
}
