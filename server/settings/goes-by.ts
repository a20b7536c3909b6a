import type { Settings } from '#contract/settings.ts';
import type { Archive } from '../archive.ts';
import { restedFor } from '../bin/rest.ts';
import { leavingMore } from '../library/retention.ts';
import type { Sum } from '../video/sum-of.ts';
import { readSettings } from './store.ts';

type Some = { [S in keyof Settings]?: Partial<Settings[S]> };

/** How much these settings would delete by themselves, of the archive and of the bin, that those of now do not. */
export async function goesBySettings(archive: Archive, some: Some): Promise<Sum> {
  const { downloads, rules, bin } = await readSettings(archive.db);
  // Most settings delete nothing, and looking goes through the archive.
  const more =
    some.rules || some.downloads?.autodelete_days !== undefined
      ? await leavingMore(archive, {
          settings: { downloads: { ...downloads, ...some.downloads }, rules: { ...rules, ...some.rules } },
        })
      : { videos: 0, sizeBytes: 0 };
  const { days = bin.days } = some.bin ?? {};
  for (const { sizeBytes } of await restedFor(archive, days, { under: bin.days })) {
    more.videos++;
    more.sizeBytes += sizeBytes;
  }
  return more;
}
