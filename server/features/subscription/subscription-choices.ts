import type { AppContext } from '../../platform/context/app-context.ts';
import type { BackCatalogue } from '../../platform/db/schema/tables.ts';
import { setOverrides } from '../../archive/channel/set-overrides.ts';

interface Choices {
  auto_start?: boolean | undefined;
  back_catalogue?: BackCatalogue | undefined;
}

/** Stores how a subscription handles new uploads and the back catalog. Undefined fields are unchanged. */
export async function saveSubscriptionChoices(
  app: AppContext,
  table: 'channel' | 'playlist',
  id: string,
  { auto_start: autoStart, back_catalogue: backCatalogue }: Choices,
): Promise<void> {
  const { db } = app;
  if (table === 'channel' && autoStart !== undefined) await setOverrides(app, id, { subscriptions_auto_start: autoStart });
  if (table === 'playlist' && autoStart !== undefined)
    await db
      .updateTable('playlist')
      .set({ autoStart: autoStart ? 1 : 0 })
      .where('id', '=', id)
      .execute();
  // The next scan counts as the first one, so that it reads as far back as requested.
  if (!backCatalogue) return;
  if (table === 'channel')
    await db.updateTable('channel').set({ backCatalogue, lastFullScanAt: null }).where('id', '=', id).execute();
  else await db.updateTable('playlist').set({ backCatalogue, scannedAt: null }).where('id', '=', id).execute();
}
