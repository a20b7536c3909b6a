import { manifestName } from './manifest.ts';
import { BadBackup, openZip, type Zip } from './zip.ts';

const ours =
  /^(manifest\.json|tables\/[A-Za-z]{1,50}-\d{1,5}\.ndjson|earlier\/[-\w.]{1,200}\.jpg|pictures\/(videos\/[^/.]|channels)\/[-\w.]{1,200}\.jpg)$/;
/** A file of the original's backup: index, date, part. */
export const originalName = /^es_(config|channel|video|download|playlist|subtitle|comment)-\d{8}(?:-(\d{1,6}))?\.json$/;

/** Whose backup it is. Throws BadBackup when it is nobody's that we know, or holds what none of ours does. */
export function kindOf({ entries }: Zip): 'ours' | 'original' {
  const names = [...entries.keys()];
  if (entries.has(manifestName)) {
    const strange = names.find((name) => !ours.test(name));
    if (strange) throw new BadBackup(`The backup holds a file that is not known here: ${JSON.stringify(strange.slice(0, 100))}.`);
    return 'ours';
  }
  if (names.some((name) => originalName.test(name))) return 'original';
  throw new BadBackup(
    'The ZIP is no backup: it has neither the manifest.json of Reelkeep nor the es_….json files of TubeArchivist.',
  );
}

/** Whether restoring this file replaces people and what lets them in, as one of ours does. What is no backup restores nothing. */
export async function bringsPeople(path: string): Promise<boolean> {
  try {
    const zip = await openZip(path);
    try {
      return kindOf(zip) === 'ours';
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof BadBackup) return false;
    throw error;
  }
}
