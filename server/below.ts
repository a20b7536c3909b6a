import { join, sep } from 'node:path';

/** A path below a folder. Throws for one that leads out of it, whatever row it stands in. */
export function below(folder: string, path: string): string {
  const full = join(folder, path);
  if (!full.startsWith(join(folder, sep))) throw new Error(`${JSON.stringify(path)} leads out of its folder.`);
  return full;
}
