import type { AppContext } from '../../platform/context/app-context.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { formatProblem } from '../../platform/ytdlp/check-format.ts';

/** Rejects a download format that yt-dlp cannot parse. Not checked if yt-dlp is not installed. */
export async function refuseInvalidFormat(archive: AppContext, format: string | null | undefined): Promise<void> {
  const { ytdlp } = archive.tools;
  const problem = format && ytdlp && (await formatProblem(ytdlp, format, pathFolder(toolsFolderOf(archive))));
  if (problem) throw badRequest('error.ytdlp-format', { problem: problem.slice(0, 200) });
}
