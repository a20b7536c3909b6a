import { z } from 'zod';
import type { Archive } from '../archive.ts';
import { retryWhatYtdlpFailed } from '../download/retry-waiting.ts';
import { currentSettings } from '../settings/read.ts';
import { defineTask } from '../task/task.ts';
import { toolsFolderOf } from '../tools.ts';
import { YtdlpFailed } from '../ytdlp/failure.ts';
import { lookUp } from '../ytdlp/listing.ts';
import { discard, folderFor, goBack, promote } from '../ytdlp/managed.ts';
import { askProgram, findYtdlp, isTooOld, type Program } from '../ytdlp/program.ts';
import { fetchFromPypi, fetchRelease, latestVersion } from '../ytdlp/release.ts';
import { ytdlpOf } from '../ytdlp-of.ts';
import { noteYtdlp } from './ytdlp-use.ts';

/** Whether we keep yt-dlp up to date: where we brought it, unless somebody decided. Never one that was configured. */
export async function isManaged(archive: Archive): Promise<boolean> {
  const { config, tools } = archive;
  const { ytdlp } = await currentSettings(archive);
  if (ytdlp.updates === 'off') return false;
  // What was configured may be gone or too old, and one that we brought is used instead.
  const isOurs = !tools.ytdlp || tools.ytdlp.command.startsWith(toolsFolderOf(archive));
  return isOurs || (ytdlp.updates === 'on' && !config.ytdlpPath);
}

const mostTried = 3;

/**
 * Tries a version on what the archive has: a video of each of a few sites must still be understood. Answers why it does not
 * do, or null. What the sites refuse (a video that is gone, a block) is not its fault.
 */
async function whyNot(archive: Archive, program: Program, signal: AbortSignal): Promise<string | null> {
  if (isTooOld(program.version)) return 'It is too old.';
  const videos = await archive.db
    .selectFrom('video')
    .select((e) => ['site', e.fn.max('url').as('url')])
    .where('isActive', '=', 1)
    .where('url', 'is not', null)
    .groupBy('site')
    .limit(mostTried)
    .execute();
  for (const { site, url } of videos) {
    if (!url) continue;
    try {
      await lookUp({ ...(await ytdlpOf(archive)), program }, url, { lang: null, signal });
    } catch (problem) {
      signal.throwIfAborted();
      const kind = problem instanceof YtdlpFailed ? problem.failure.kind : 'unknown';
      if (['ytdlp', 'unknown', 'format'].includes(kind))
        return `It does not understand ${site}: “${(problem as Error).message}”.`;
    }
  }
  return null;
}

async function bring(archive: Archive, version: string, signal: AbortSignal): Promise<string> {
  const folder = folderFor(toolsFolderOf(archive), version);
  try {
    return await fetchRelease(archive.tools.gate.fetch, version, folder);
  } catch (problem) {
    archive.log.warn({ err: problem }, 'the official release of yt-dlp cannot be had; trying PyPI');
    return fetchFromPypi(version, folder, signal);
  }
}

/** Brings a newer yt-dlp beside the one that is used, tries it, and uses it from then on when it does. */
export const updateYtdlp = defineTask<object>({
  name: 'update_ytdlp',
  title: 'Update yt-dlp',
  group: 'setting:ytdlp',
  isStartable: true,
  isStoppable: false,
  schedule: { auto: '40 4 *', isOnFromTheStart: true },
  input: z.object({}),

  async run({ report, signal }, archive) {
    const { tools, log } = archive;
    if (!(await isManaged(archive))) return; // somebody else keeps it up to date
    const { ytdlp } = await currentSettings(archive);
    report({ messages: ['Looking for a newer version.'] });
    const version = ytdlp.pinned ?? (await latestVersion(tools.gate.fetch));
    if (version === tools.ytdlp?.version) return;
    report({ messages: [`Fetching yt-dlp ${version}.`] });
    const path = await bring(archive, version, signal);
    const program = await askProgram(path);
    report({ messages: [`Trying yt-dlp ${version}.`] });
    const why = program ? await whyNot(archive, program, signal) : 'It does not run here.';
    if (!program || why) {
      await discard(path);
      const stays = tools.ytdlp
        ? `Version ${tools.ytdlp.version} stays.`
        : 'Nothing can be fetched until there is one that can be used.';
      throw new Error(`yt-dlp ${version} was tried and is not used. ${why} ${stays}`);
    }
    await promote(toolsFolderOf(archive), path);
    tools.ytdlp = await findYtdlp(undefined, toolsFolderOf(archive));
    await noteYtdlp(archive);
    await retryWhatYtdlpFailed(archive);
    archive.announce('settings');
    log.info(`yt-dlp ${version} is used from now on`);
    return `yt-dlp ${version} is used from now on.`;
  },
});

/** Goes back to the version before; null when there is none. Whoever asks pins it, or the next update brings the other again. */
export async function rollBackYtdlp(archive: Archive): Promise<Program | null> {
  const folder = toolsFolderOf(archive);
  if (!(await goBack(folder))) return null;
  archive.tools.ytdlp = await findYtdlp(undefined, folder);
  await noteYtdlp(archive);
  archive.announce('settings');
  return archive.tools.ytdlp;
}
