import { message, messages, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import type { AppContext } from '../../platform/context/app-context.ts';
import { retryItemsFailedByYtdlp } from '../../archive/queue/retry-now.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { defineTask, type TaskWork } from '../../platform/context/task.ts';
import { MessageError, messagesOf } from '../../platform/messages/message-error.ts';
import { toolsFolderOf } from '../../platform/context/tools.ts';
import { YtdlpFailed } from '../../platform/ytdlp/failure.ts';
import { lookUp } from '../../platform/ytdlp/listing.ts';
import { discard, folderFor, rollBackInstall, promote } from '../../platform/ytdlp/managed-install.ts';
import { pathFolder } from '../../platform/ytdlp/path-folder.ts';
import { readVersion, findYtdlp, startsIn, isTooOld, type Program } from '../../platform/ytdlp/find-ytdlp.ts';
import {
  fetchFromPypi,
  fetchRelease,
  lacksDiskSpace,
  isLowerVersion,
  latestVersion,
  UntrustedRelease,
  whyNotDownloaded,
} from '../../platform/ytdlp/release.ts';
import { programFolder } from '../../platform/config/version.ts';
import { ytdlpSession } from '../../archive/sites/ytdlp-session.ts';
import { recordYtdlpVersion } from './ytdlp-history.ts';
import type { SolverProof } from '../../platform/ytdlp/prove-solver.ts';
import { checkYtdlp, needsRepair, proveYtdlp } from './ytdlp-parts.ts';

/**
 * Whether yt-dlp is updated automatically: by default only if Reelkeep or its image installed it, never if it was configured. A
 * newer version goes to the data folder and is used instead.
 */
export async function isManaged(app: AppContext): Promise<boolean> {
  const { config, tools } = app;
  const { ytdlp } = await readSettings(app.db);
  if (ytdlp.updates === 'off') return false;
  // If the configured yt-dlp is missing or too old, the installed one is used.
  const isInstalled = !tools.ytdlp || tools.ytdlp.command.startsWith(toolsFolderOf(app));
  const isOfImage = !config.ytdlpPath && tools.ytdlp?.command.startsWith(`${programFolder}/`);
  const isOurs = isInstalled || isOfImage;
  return isOurs || (ytdlp.updates === 'on' && !config.ytdlpPath);
}

const maxTried = 3;

/**
 * Tests a version with an archived video of a few sites. Returns why it is unusable, or null. Refusals by a site (an unavailable
 * video, a block) do not count.
 */
async function whyNot(app: AppContext, program: Program, version: string, signal: AbortSignal): Promise<Message | null> {
  // The signature does not cover the version, so an older release could be served under the name of a newer one.
  if (program.version !== version) return message('ytdlp.unexpected-version', { version: program.version });
  if (isTooOld(program.version)) return message('ytdlp.too-old');
  const videos = await app.db
    .selectFrom('video')
    .select((e) => ['site', e.fn.max('url').as('url')])
    .where('isActive', '=', 1)
    .where('url', 'is not', null)
    .groupBy('site')
    .limit(maxTried)
    .execute();
  for (const { site, url } of videos) {
    if (!url) continue;
    try {
      await lookUp({ ...(await ytdlpSession(app)), program }, url, { lang: null, signal });
    } catch (problem) {
      signal.throwIfAborted();
      const kind = problem instanceof YtdlpFailed ? problem.failure.kind : 'unknown';
      if (['ytdlp', 'challenge', 'unknown', 'format'].includes(kind))
        return message('ytdlp.cannot-read-site', { site, why: messagesOf(problem) });
    }
  }
  return null;
}

/** Returns why a version cannot solve the challenges of a player although the one in use can, or null. */
function whyWorse({ tools }: AppContext, { failure }: SolverProof): Message | null {
  if ((tools.solver?.seconds ?? null) === null) return null;
  return failure && message('ytdlp.breaks-challenges', { why: failure.message });
}

/** Returns the error of a failed request to GitHub, with the remedy. */
function requestFailed(describe: (why: string) => Message, problem: unknown): MessageError {
  const why = whyNotDownloaded(problem);
  const help = why.startsWith('the certificate is not trusted') ? [message('ytdlp.certificate-remedy')] : [];
  return new MessageError([describe(why), ...help], { cause: problem });
}

const newestRelease = (app: AppContext) =>
  latestVersion(app.tools.proxy.fetch).catch((problem: unknown) => {
    throw requestFailed((why) => message('ytdlp.newest-unknown', { why }), problem);
  });

/**
 * Downloads a version.
 * @throws MessageError
 */
async function download(app: AppContext, version: string, signal: AbortSignal): Promise<string> {
  const { tools, log } = app;
  const folder = folderFor(toolsFolderOf(app), version);
  try {
    return await fetchRelease(tools.proxy.fetch, version, folder, {
      armoredKey: tools.releaseKey,
      starts: startsIn(toolsFolderOf(app)),
    });
  } catch (problem) {
    // PyPI has no signatures, so it is no fallback for a release that failed verification.
    if (problem instanceof UntrustedRelease)
      throw new MessageError([message('ytdlp.untrusted', { version, why: problem.message }), message('ytdlp.untrusted-remedy')], {
        cause: problem,
      });
    log.warn({ err: problem }, 'cannot download the official release of yt-dlp; trying PyPI');
    return await fetchFromPypi(version, folder, signal).catch((ofPypi: unknown) => {
      signal.throwIfAborted();
      log.warn({ err: ofPypi }, 'cannot download yt-dlp from PyPI');
      const failure = lacksDiskSpace(ofPypi) ? ofPypi : problem;
      tools.whyNoYtdlp = whyNotDownloaded(failure);
      throw requestFailed((why) => message('ytdlp.not-downloaded', { version, why }), failure);
    });
  }
}

/**
 * Downloads a version next to the current one, tests it, and uses it if the test succeeds. `isChosen`: a user has chosen it, so it may be
 * one that solves no challenges.
 * @throws MessageError
 */
export async function useYtdlp(
  app: AppContext,
  version: string,
  { signal, report, isChosen }: Pick<TaskWork<unknown>, 'signal' | 'report'> & { isChosen: boolean },
) {
  const { tools } = app;
  const stays = tools.ytdlp ? message('ytdlp.unchanged', { version: tools.ytdlp.version }) : message('ytdlp.none');
  report({ messages: [message('ytdlp.downloading', { version })] });
  const path = await download(app, version, signal).catch((problem: unknown) => {
    throw new MessageError([...messagesOf(problem), stays], { cause: problem });
  });
  const program = await readVersion(path, pathFolder(toolsFolderOf(app)));
  report({ messages: [message('ytdlp.testing', { version })] });
  const refused = program ? await whyNot(app, program, version, signal) : message('ytdlp.does-not-run');
  const proof = program && !refused ? await proveYtdlp(app, signal, program) : undefined;
  const why = refused ?? (isChosen || !proof ? null : whyWorse(app, proof));
  if (why) {
    await discard(path);
    throw new MessageError([message('ytdlp.test-failed', { version }), why, stays]);
  }
  await promote(toolsFolderOf(app), path);
  tools.ytdlp = await findYtdlp(undefined, toolsFolderOf(app));
  await checkYtdlp(app, signal, { ...(proof && { proof }) });
}

/** Retries items that failed because of yt-dlp when all workers use this version. */
export async function retryIfAllUse(app: AppContext, version: string): Promise<void> {
  const others = (await app.nodes.list()).filter(
    ({ name, role, isAlive }) => name !== app.config.node && role !== 'web' && isAlive,
  );
  if (others.every(({ ytdlp }) => ytdlp === version)) await retryItemsFailedByYtdlp(app);
}

/** Updates yt-dlp. Other servers follow (follow-ytdlp.ts). */
export const updateYtdlp = defineTask<{ repairs: boolean }>({
  name: 'update_ytdlp',
  title: messages['task.update_ytdlp'],
  group: 'setting:ytdlp',
  isStartable: true,
  isStoppable: false,
  // Only a user may have parts installed for a yt-dlp that is not ours.
  schedule: { auto: '40 4 *', isOnFromTheStart: true, input: { repairs: false } },
  input: z.object({ repairs: z.boolean().default(true) }),

  async run({ input, report, signal }, app) {
    const { tools, log } = app;
    const wasBroken = input.repairs && needsRepair(tools);
    if (wasBroken) await checkYtdlp(app, signal, { repairs: true });
    const repaired = wasBroken && !needsRepair(tools) ? message('ytdlp.repaired') : undefined;
    if (!(await isManaged(app))) {
      if (input.repairs && !repaired) throw new MessageError(message('error.ytdlp-not-managed'));
      return repaired;
    }
    const { ytdlp } = await readSettings(app.db);
    report({ messages: [message('ytdlp.checking')] });
    const version = ytdlp.pinned ?? (await newestRelease(app));
    // An installation that is damaged in another way is replaced.
    if (version === tools.ytdlp?.version && tools.solver?.seconds !== null) return repaired;
    if (!ytdlp.pinned && tools.ytdlp && isLowerVersion(version, tools.ytdlp.version))
      throw new MessageError([
        message('ytdlp.downgrade', { version }),
        message('ytdlp.downgrade-remedy'),
        message('ytdlp.unchanged', { version: tools.ytdlp.version }),
      ]);
    await useYtdlp(app, version, { signal, report, isChosen: ytdlp.pinned !== null });
    await recordYtdlpVersion(app);
    await retryIfAllUse(app, version);
    app.announce('settings');
    log.info({ version }, 'yt-dlp updated');
    return message('ytdlp.updated', { version });
  },
});

/**
 * Reverts to the previous version; null if there is none. The caller must pin it, or the next update installs the newer one
 * again.
 */
export async function rollBackYtdlp(app: AppContext): Promise<Program | null> {
  const folder = toolsFolderOf(app);
  if (!(await rollBackInstall(folder))) return null;
  app.tools.ytdlp = await findYtdlp(undefined, folder);
  await recordYtdlpVersion(app);
  await checkYtdlp(app, new AbortController().signal);
  app.announce('settings');
  return app.tools.ytdlp;
}
