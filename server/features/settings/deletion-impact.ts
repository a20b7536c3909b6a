import type { Settings } from '#contract/settings.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { retainedFor } from '../trash/retention-clock.ts';
import { findAdditionallyExpired } from '../library/retention/retention.ts';
import type { SelectionSize } from '../../archive/queries/total-size.ts';
import { readSettings } from '../../archive/settings/store.ts';

const cleanupKeys = ['autodelete_days', 'autodelete_min_size', 'autodelete_available_only'] as const;

type Some = { [S in keyof Settings]?: Partial<Settings[S]> };

/** Returns how much the new settings would delete automatically, from the library and the trash, beyond the present settings. */
export async function deletionImpact(app: AppContext, some: Some): Promise<SelectionSize> {
  const { downloads, rules, trash } = await readSettings(app.db);
  // The query reads the whole library, so it is skipped for settings that delete nothing.
  const more =
    some.rules || cleanupKeys.some((key) => some.downloads?.[key] !== undefined)
      ? await findAdditionallyExpired(app, {
          settings: { downloads: { ...downloads, ...some.downloads }, rules: { ...rules, ...some.rules } },
        })
      : { videos: 0, sizeBytes: 0 };
  const { days = trash.days } = some.trash ?? {};
  for (const { sizeBytes } of await retainedFor(app, days, { under: trash.days })) {
    more.videos++;
    more.sizeBytes += sizeBytes;
  }
  return more;
}
