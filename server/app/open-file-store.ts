import type { Config } from '../platform/config/config.ts';
import { createDiskStore } from '../platform/storage/disk-store.ts';
import type { FileStore } from '../platform/storage/file-store.ts';

/** Opens the folders or the bucket of the configuration. The client of S3 is loaded only for a bucket. */
export async function openFileStore(config: Config): Promise<FileStore> {
  const { s3 } = config;
  if (!s3) return createDiskStore(config);
  const { createS3Store } = await import('../platform/storage/s3-store.ts');
  return createS3Store({ ...config, s3 });
}
