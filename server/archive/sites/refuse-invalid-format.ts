import type { AppContext } from '../../platform/context/app-context.ts';
import { parseOverrides, readSettings } from '../settings/store.ts';
import { badRequest } from '../../platform/http/http-error.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { formatProblem } from '../../platform/ytdlp/check-format.ts';

async function problemOf(app: AppContext, format: string | null | undefined): Promise<string | null> {
  const { ytdlp } = app.tools;
  return format && ytdlp ? formatProblem(ytdlp, format, pathFolder(toolsFolderOf(app))) : null;
}

/** Rejects a download format that yt-dlp cannot parse. Not checked if yt-dlp is not installed (findInvalidFormats). */
export async function refuseInvalidFormat(app: AppContext, format: string | null | undefined): Promise<void> {
  const problem = await problemOf(app, format);
  if (problem) throw badRequest('error.ytdlp-format', { problem: problem.slice(0, 200) });
}

export interface InvalidFormat {
  /** Name of the channel; null: the format of the settings. */
  channel: string | null;
  problem: string;
}

// Each check is a start of yt-dlp. Imports of other programs bring a few formats for many channels.
const maxFormats = 20;

/** Returns the stored formats that yt-dlp cannot parse: they were saved without yt-dlp, or imported. */
export async function findInvalidFormats(app: AppContext): Promise<InvalidFormat[]> {
  const { format } = (await readSettings(app.db)).downloads;
  const channels = await app.db
    .selectFrom('channel')
    .select(['name', 'overwrites'])
    .where('overwrites', 'like', '%"download_format":"%')
    .orderBy('name')
    .execute();
  const stored = [
    { channel: null, format },
    ...channels.map(({ name, overwrites }) => ({ channel: name, format: parseOverrides(overwrites).download_format ?? null })),
  ];
  const found: InvalidFormat[] = [];
  for (const [one, uses] of [...Map.groupBy(stored, (row) => row.format)].slice(0, maxFormats)) {
    const problem = await problemOf(app, one);
    if (problem) found.push(...uses.map(({ channel }) => ({ channel, problem: problem.slice(0, 200) })));
  }
  return found;
}
