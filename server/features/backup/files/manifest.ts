import { message } from '#contract/messages.ts';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { newestStep, steps } from '../../../platform/db/migrations/migrate.ts';
import { InvalidBackupError } from './invalid-backup-error.ts';
import { InvalidZipError, textOfEntry, type ZipFile } from '../../../platform/files/zip.ts';

/** Version of the backup layout. Increment it when older versions could no longer read a backup. */
export const formatVersion = 1;
export const manifestName = 'manifest.json';

const Sum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const File = z.object({ name: z.string(), bytes: count, sha256: Sum });

/** Content of `manifest.json`, described in docs/backup-format.md. */
export const Manifest = z.object({
  format: z.literal(formatVersion),
  /** The program version and the newest migration of its database. */
  program: z.string().max(100),
  migration: z.string().max(100),
  engine: z.enum(['sqlite', 'postgres']),
  reason: z.string().max(50),
  createdAt: z.int(),
  /** Identifies the key that the secrets in this backup are encrypted with, without revealing it. */
  keyMark: z.string().max(64),
  tables: z.record(z.string().max(100), z.object({ rows: count, parts: z.array(File.extend({ rows: count })).max(10_000) })),
  files: z.array(File).max(200_000),
  /** What the backup does not contain, as text for people who open the ZIP. */
  left_out: z.array(z.string()).max(50),
});
export type Manifest = z.infer<typeof Manifest>;

/** Returns a fingerprint that identifies a key without revealing it. */
export const keyFingerprint = (key: Buffer) => createHmac('sha256', key).update('reelkeep backup').digest('hex').slice(0, 16);

const Version = z.object({ format: z.int(), program: z.string().optional(), migration: z.string() });

/**
 * Reads the manifest of a Reelkeep backup.
 * @throws InvalidBackupError if the manifest is invalid or of a newer version.
 */
export async function readManifest({ entries }: ZipFile): Promise<Manifest> {
  const entry = entries.get(manifestName);
  if (!entry) throw new InvalidBackupError(message('restore.no-manifest'));
  let json: unknown;
  try {
    json = JSON.parse(await textOfEntry(entry));
  } catch (error) {
    if (error instanceof InvalidZipError) throw error;
    throw new InvalidBackupError(message('restore.manifest-json'));
  }
  const version = Version.safeParse(json);
  if (version.success && (version.data.format > formatVersion || !Object.hasOwn(steps, version.data.migration)))
    throw new InvalidBackupError(
      message('restore.newer', {
        version: version.data.program ?? 'unknown',
        theirs: version.data.migration,
        ours: newestStep(),
      }),
    );
  const read = Manifest.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new InvalidBackupError(message('restore.manifest-invalid', { why: `${issue?.path.join('.')}: ${issue?.message}` }));
  }
  return read.data;
}
