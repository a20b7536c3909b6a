import type { AppContext } from '../../platform/context/app-context.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { findUnknownClients } from '../../platform/ytdlp/check-clients.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';

/** Rejects clients of YouTube that the installed yt-dlp does not know: it would skip them. */
export async function refuseUnknownClients(archive: AppContext, clients: string | null | undefined): Promise<void> {
  const { ytdlp } = archive.tools;
  if (!clients || !ytdlp) return;
  const unknown = await findUnknownClients(ytdlp, clients, pathFolder(toolsFolderOf(archive)));
  if (unknown.length > 0) throw badRequest('error.player-client', { version: ytdlp.version, clients: unknown.join(', ') });
}
