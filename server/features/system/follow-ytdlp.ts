import type { AppContext } from '../../platform/context/app-context.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { recordYtdlpVersion, usedYtdlp } from './ytdlp-history.ts';
import { isManaged, retryIfAllUse, useYtdlp } from './update-ytdlp.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** The version of yt-dlp that could not be installed here, and when. */
    failedYtdlp: { version: string; at: number } | null;
  }
}

const retrySeconds = 3600;

/** Installs the version of yt-dlp that the archive uses after another server was updated or set back. */
export async function followYtdlp(app: AppContext, signal: AbortSignal): Promise<void> {
  const { db, log, now, state, tasks, tools } = app;
  // Missing programs are installed first.
  if (!tools.ytdlp || !(await isManaged(app))) return;
  const { pinned } = (await readSettings(db)).ytdlp;
  const version = pinned ?? (await usedYtdlp(db));
  if (!version || version === tools.ytdlp.version || (await tasks.activeInputs('update_ytdlp')).length > 0) return;
  const { failedYtdlp } = state;
  if (failedYtdlp?.version === version && now() - failedYtdlp.at < retrySeconds) return;
  try {
    await useYtdlp(app, version, { signal, report() {}, isChosen: pinned !== null });
  } catch (error) {
    if (signal.aborted) return;
    state.failedYtdlp = { version, at: now() };
    log.warn({ version, err: error }, 'cannot install the yt-dlp that the other servers use; retrying in an hour');
    return;
  }
  log.info({ version }, 'yt-dlp updated like on the other servers');
  await recordYtdlpVersion(app);
  await retryIfAllUse(app, version);
}
