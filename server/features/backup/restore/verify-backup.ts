import { message } from '#contract/messages.ts';
import { createHash } from 'node:crypto';
import { dataTables } from '../../../platform/db/schema/table-policies.ts';
import { readManifest, type Manifest } from '../files/manifest.ts';
import { InvalidBackupError } from '../files/invalid-backup-error.ts';
import { openZip, type ZipFile } from '../../../platform/files/zip.ts';

const newline = 0x0a;

/** Reads one entry completely and compares it with the manifest. */
async function checkEntry(
  zip: ZipFile,
  expected: { name: string; bytes: number; sha256: string; rows?: number },
  signal: AbortSignal,
) {
  const entry = zip.entries.get(expected.name);
  if (!entry) throw new InvalidBackupError(message('restore.zip-missing', { name: expected.name }));
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const piece of entry.read(signal)) {
    hash.update(piece);
    bytes += piece.length;
    if (expected.rows !== undefined) for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++;
  }
  if (bytes !== expected.bytes || hash.digest('hex') !== expected.sha256 || (expected.rows ?? lines) !== lines)
    throw new InvalidBackupError(message('restore.zip-manifest-differs', { name: expected.name }));
}

/**
 * Reads a Reelkeep backup completely and verifies every checksum and row count. `report` gets the progress, 0–1.
 * @throws InvalidBackupError with the first problem.
 */
export async function verifyBackup(
  path: string,
  { signal, report = () => {} }: { signal: AbortSignal; report?: (share: number) => void },
): Promise<{ manifest: Manifest; rows: number; bytes: number }> {
  const zip = await openZip(path);
  try {
    const manifest = await readManifest(zip);
    let [done, rows] = [0, 0];
    for (const [table, { parts, rows: promised }] of Object.entries(manifest.tables)) {
      if (!dataTables.includes(table as (typeof dataTables)[number]))
        throw new InvalidBackupError(message('restore.unknown-table', { name: JSON.stringify(table) }));
      let found = 0;
      for (const one of parts) {
        await checkEntry(zip, one, signal);
        found += one.rows;
        done += one.bytes;
        report(done / Math.max(1, zip.bytes));
      }
      if (found !== promised)
        throw new InvalidBackupError(message('restore.row-count-differs', { count: promised, table, found }));
      rows += found;
    }
    for (const file of manifest.files) await checkEntry(zip, file, signal);
    return { manifest, rows, bytes: zip.bytes };
  } finally {
    zip.close();
  }
}
