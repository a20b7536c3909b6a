import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { newestStep, steps } from '../db/migrate.ts';
import { BadBackup, textOf, type Zip } from './zip.ts';

/** Of how a backup is laid out. It is raised when an older program could not read it any more. */
export const formatVersion = 1;
export const manifestName = 'manifest.json';

const Sum = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const File = z.object({ name: z.string(), bytes: count, sha256: Sum });

/** What `manifest.json` says; docs/backup-format.md explains it. */
export const Manifest = z.object({
  format: z.literal(formatVersion),
  /** The version of the program, and the newest step its database had gone through. */
  program: z.string().max(100),
  migration: z.string().max(100),
  engine: z.enum(['sqlite', 'postgres']),
  reason: z.string().max(50),
  createdAt: z.int(),
  /** Tells whether a key file is the one that sealed what is sealed in here; says nothing of the key. */
  keyMark: z.string().max(64),
  tables: z.record(z.string().max(100), z.object({ rows: count, parts: z.array(File.extend({ rows: count })).max(10_000) })),
  files: z.array(File).max(200_000),
  /** For whoever opens the ZIP: what is not in it. */
  left_out: z.array(z.string()).max(50),
});
export type Manifest = z.infer<typeof Manifest>;

/** A mark by which a key is known again and that does not give it away. */
export const keyMarkOf = (key: Buffer) => createHmac('sha256', key).update('reelkeep backup').digest('hex').slice(0, 16);

const Version = z.object({ format: z.int(), program: z.string().optional(), migration: z.string() });

/** Reads what a backup of ours says of itself. Throws BadBackup, also for one of a newer version. */
export async function readManifest({ entries }: Zip): Promise<Manifest> {
  const entry = entries.get(manifestName);
  if (!entry) throw new BadBackup('The ZIP has no manifest.json: it is no backup of Reelkeep.');
  let json: unknown;
  try {
    json = JSON.parse(await textOf(entry));
  } catch (error) {
    if (error instanceof BadBackup) throw error;
    throw new BadBackup('The manifest.json of the ZIP is no JSON.');
  }
  const version = Version.safeParse(json);
  if (version.success && (version.data.format > formatVersion || !Object.hasOwn(steps, version.data.migration)))
    throw new BadBackup(
      `This backup was made by a newer version of Reelkeep (${version.data.program ?? 'unknown'}; its tables are at ${version.data.migration}, this version knows them up to ${newestStep()}). Update first, then restore it.`,
    );
  const read = Manifest.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new BadBackup(`The manifest.json of the ZIP is not right: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return read.data;
}
