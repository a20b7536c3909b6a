import { readSettings } from '../../archive/settings/store.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { nextBackgroundTime } from '../../archive/settings/background-hours.ts';
import { modelName } from './choose-model.ts';
import { isAllOff, nextVideo, transcribeChoicesOf, type WantedVideo } from './store.ts';

/** Returns the next video that may be transcribed now, or null. `withMissing`: also one that nobody has requested, if the settings say so. */
export async function nextAllowed(app: AppContext, withMissing = true): Promise<WantedVideo | null> {
  const { db, now } = app;
  const choices = await transcribeChoicesOf(db);
  if (isAllOff(choices)) return null;
  const { background } = await readSettings(db);
  const onlyUrgent = nextBackgroundTime(background.hours, now()) > now();
  const model = await modelName(app);
  return nextVideo(db, choices, { model, withMissing, onlyUrgent });
}
