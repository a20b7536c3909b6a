import type { AppContext } from '../../platform/context/app-context.ts';
import { nextBackgroundTime } from './background-hours.ts';
import { readSettings } from './store.ts';

/** The background hours have ended. */
class HoursEnded extends Error {}

/** Aborts a signal within two seconds after the background hours end, unless the work is urgent. */
export function watchBackgroundHours({ db, now }: AppContext, isUrgent: () => boolean = () => false) {
  const ended = new AbortController();
  const look = async () => {
    const { background } = await readSettings(db);
    if (!isUrgent() && nextBackgroundTime(background.hours, now()) > now()) ended.abort(new HoursEnded());
  };
  const timer = setInterval(() => void look().catch(() => undefined), 2000);
  timer.unref();
  return { signal: ended.signal, stop: () => clearInterval(timer) };
}
