import type { AppContext } from '../../platform/context/app-context.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { listUnknownClients } from '../../platform/ytdlp/check-clients.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    /** Clients of YouTube in the settings that yt-dlp does not know, found when it was installed, updated or started. */
    unknownClients: string[];
  }
}

/** Returns the clients of YouTube in a setting that the installed yt-dlp does not know: it skips them. */
export async function findUnknownClients(app: AppContext, clients: string | null | undefined): Promise<string[]> {
  const { ytdlp } = app.tools;
  return clients && ytdlp ? listUnknownClients(ytdlp, clients, pathFolder(toolsFolderOf(app))) : [];
}

/** Rejects clients of YouTube that the installed yt-dlp does not know. */
export async function refuseUnknownClients(app: AppContext, clients: string | null | undefined): Promise<void> {
  const unknown = await findUnknownClients(app, clients);
  if (unknown.length > 0)
    throw badRequest('error.player-client', { version: app.tools.ytdlp!.version, clients: unknown.join(', ') });
}
