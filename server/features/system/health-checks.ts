import { message, messages, type Message } from '#contract/messages.ts';
import { link, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '#contract/health.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { isSought, toolsFolderOf } from '../../platform/context/tools.ts';
import { listBackups } from '../backup/files/backup-files.ts';
import { newestSnapshotFor } from '../backup/snapshots.ts';
import { latestBackups } from '../backup/latest-backups.ts';
import { trashTotals } from '../../archive/storage/trash-totals.ts';
import { bucketUse } from '../../archive/storage/disk-space.ts';
import { freeBytes, inGigabytes } from '../../platform/files/free-space.ts';
import { countDamaged } from '../../archive/queries/video-counts.ts';
import { listCooldowns } from '../../archive/sites/site-cooldowns.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { whyMediaUnavailable } from '../../archive/storage/mount-check.ts';
import { cookieState } from '../../archive/cookies/stored-cookies.ts';
import { readSettings } from '../../archive/settings/store.ts';
import { bad, good, warn, type Found } from './finding.ts';
import { originalSounds } from './original-sounds.ts';
import { challenges, checkParts, type NamedCheck } from './ytdlp-checks.ts';
import { isManaged } from './update-ytdlp.ts';
import { sourceOfManaged } from '../../platform/ytdlp/managed-install.ts';
import { daysOld, oldAfterDays } from '../../platform/ytdlp/find-ytdlp.ts';

const day = 86_400;
const clockSlackSeconds = 300;

const toInstall = message('health.no-ytdlp-remedy');

/** Remedy for a configured program that does not work; without a configured path, the consequence. */
const insteadOf = (name: string, path: string | undefined, otherwise: Message) =>
  path ? message('health.misconfigured-path-remedy', { variable: name, path }) : otherwise;

async function ytdlp(app: AppContext): Promise<Found> {
  const { config, tools, now } = app;
  const isOurs = await isManaged(app);
  if (!tools.ytdlp) {
    const finding = tools.tooOldYtdlp
      ? message('health.too-old-ytdlp', { version: tools.tooOldYtdlp.version })
      : message('health.no-ytdlp');
    const reason =
      tools.whyNoYtdlp === undefined ? [] : [message('health.not-installed', { why: tools.whyNoYtdlp.slice(0, 300) })];
    const remedy = tools.tooOldYtdlp ? toInstall : insteadOf('REELKEEP_YTDLP', config.ytdlpPath, toInstall);
    const missing = bad([finding, ...reason], remedy, 'pip install --upgrade "yt-dlp[default]"');
    return isOurs ? { ...missing, action: 'install' } : missing;
  }
  const { version } = tools.ytdlp;
  const age = daysOld(version, now());
  if (age <= oldAfterDays) return good(message('health.ytdlp', { version }));
  const old = warn(message('health.old-ytdlp', { version, days: age }), message('health.old-ytdlp-remedy'));
  return isOurs ? { ...old, action: 'update' } : old;
}

/** The finding about yt-dlp, and where it came from. */
async function ytdlpWithSource(app: AppContext): Promise<Found> {
  const found = await ytdlp(app);
  const { ytdlp: program } = app.tools;
  if (!program) return found;
  const source = await sourceOfManaged(toolsFolderOf(app), program.command);
  const from = source === null ? message('health.ytdlp-path', { path: program.command }) : message(`health.ytdlp-${source}`);
  const all = [...found.messages, from];
  return { ...found, text: renderMessages(all), messages: all };
}

const ffmpeg = ({ config, tools }: AppContext): Found =>
  tools.ffmpeg
    ? good(message('health.ffmpeg', { version: tools.ffmpeg.version }))
    : bad(
        message('health.no-ffmpeg'),
        insteadOf('REELKEEP_FFMPEG', config.ffmpegPath, message('health.no-ffmpeg-remedy')),
        config.ffmpegPath ? undefined : 'apt-get install ffmpeg',
      );

const amount = (bytes: number) => (bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${inGigabytes(bytes)} GB`);

async function disk(app: AppContext): Promise<Found> {
  const { queue } = await readSettings(app.db);
  const { config, files } = app;
  const local = (await freeBytes(config.mediaFolder)) / 1e9;
  const { used, quota } = files.isRemote ? await bucketUse(app) : { used: 0, quota: null };
  const inBucket = quota === null ? Infinity : (quota - used) / 1e9;
  const free = Math.min(local, inBucket);
  const trash = await trashTotals(app);
  const finding = [
    ...(files.isRemote
      ? [
          quota === null
            ? message('health.bucket-used', { size: amount(used) })
            : message('health.bucket-free', { size: amount(used), quota: inGigabytes(quota) }),
          message('health.local-free', { free: inGigabytes(local * 1e9) }),
        ]
      : [message('health.free', { free: Math.round(free * 10) / 10 })]),
    ...(trash.count > 0 ? [message('health.trash', { count: trash.count, size: amount(trash.sizeBytes) })] : []),
  ];
  if (free < queue.reserve)
    return bad(
      [...finding, message('health.reserve', { reserve: queue.reserve })],
      message(inBucket < queue.reserve ? 'health.bucket-reserve-remedy' : 'health.reserve-remedy'),
    );
  return free < queue.reserve * 3 + 5 ? warn(finding, message('health.low-space-remedy')) : good(finding);
}

/** Throws if a folder cannot be read and written. A missing folder is created on demand, unless `mustBe` is set. */
async function tryFolder(folder: string, { mustBe, knowsLinks }: { mustBe: boolean; knowsLinks: boolean }) {
  try {
    await readdir(folder);
  } catch (error) {
    if (!mustBe && (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const probe = await mkdtemp(join(folder, '.probe-'));
  try {
    await writeFile(join(probe, 'a'), 'a');
    if (knowsLinks)
      await link(join(probe, 'a'), join(probe, 'b')).catch((error: Error) => Promise.reject(new NoLinks(error.message)));
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

// Inside the data folder; a command run by another user may have created them.
const helpers = ['backup', 'snapshots', 'tools', 'import'];

async function folders(app: AppContext): Promise<Found> {
  const { config, files } = app;
  const { dataFolder, mediaFolder, cacheFolder } = config;
  const notThere = await whyMediaUnavailable(app);
  if (notThere) return bad(notThere, message(files.isRemote ? 'health.bucket-remedy' : 'health.mount-remedy'));
  const [needed, others] = [[dataFolder, mediaFolder, cacheFolder], helpers.map((name) => join(dataFolder, name))];
  let linkless: Found | undefined;
  for (const folder of [...needed, ...others]) {
    try {
      await tryFolder(folder, { mustBe: needed.includes(folder), knowsLinks: folder === mediaFolder && !files.isRemote });
    } catch (error) {
      if (error instanceof NoLinks) {
        linkless = warn(message('health.no-links', { folder }), message('health.no-action-needed'));
        continue;
      }
      const { uid } = await stat(folder).catch(() => ({ uid: '?' }));
      return bad(
        message('health.unwritable', { folder, why: messagesOf(error) }),
        message('health.unwritable-remedy', { who: String(uid) }),
        `chown ${others.includes(folder) ? '-R ' : ''}${process.getuid?.() ?? '?'}:${process.getgid?.() ?? '?'} '${folder}'`,
      );
    }
  }
  return linkless ?? good(config.s3 ? message('health.bucket', { bucket: config.s3.bucket }) : message('health.folders'));
}
class NoLinks extends Error {}

/** Checks internet access with one small request, and the server clock with the date in its response. */
async function outside({ tools, now }: AppContext): Promise<{ network: Found; clock: Found }> {
  try {
    const answer = await tools.proxy.fetch('https://www.youtube.com/generate_204', { timeMs: 10_000, maxBytes: 100_000 });
    await answer.body?.cancel();
    const date = Date.parse(answer.headers.get('date') ?? '') / 1000;
    const off = Number.isFinite(date) ? Math.round(now() - date) : null;
    const clock =
      off === null
        ? warn(message('health.no-time-server'))
        : Math.abs(off) > clockSlackSeconds
          ? bad(
              message(off > 0 ? 'health.clock-fast' : 'health.clock-slow', { seconds: Math.abs(off) }),
              message('health.clock-remedy'),
            )
          : good(message('health.clock'));
    return { network: good(message('health.online')), clock };
  } catch (error) {
    return {
      network: bad(message('health.offline', { why: messagesOf(error) }), message('health.offline-remedy')),
      clock: warn(message('health.no-time-server')),
    };
  }
}

async function login(app: AppContext): Promise<Found> {
  const { cookie_enabled: isOn, status, rotated, expires } = await cookieState(app);
  if (!isOn) return good(message('health.no-login'));
  if (rotated) return bad(message('health.login-rotated', { since: { day: rotated } }), message('health.login-rotated-remedy'));
  if (status === false) return bad(message('health.login-expired'), message('health.login-remedy'));
  if (!expires) return good(message('health.login'));
  const days = Math.floor((expires - app.now()) / day);
  if (days < 0) return bad(message('health.login-expired'), message('health.login-remedy'));
  return days < 7
    ? warn(message('health.login-expires', { days }), message('health.login-expires-remedy'))
    : good(message('health.login-valid-days', { days }));
}

async function sites({ db, now }: AppContext): Promise<Found> {
  const paused = await listCooldowns(db, now());
  if (paused.length === 0) return good(message('health.sites'));
  const sites = paused.map(({ site, egress, untilAt }) =>
    message('health.paused-site', { site: egress ? `${site} (${egress})` : site, until: { at: untilAt } }),
  );
  return warn(message('health.paused', { sites: { list: sites } }), message('health.paused-remedy'));
}

async function files({ db }: AppContext): Promise<Found> {
  const count = await countDamaged(db);
  return count === 0
    ? good(message('health.files'))
    : bad(message('health.damaged', { count }), message('health.damaged-remedy'));
}

const oldCopyDays = 8; // a weekly backup, plus a day for a machine that was off

const daysFromHours = 48; // from this age on, it is shown in days

function backupFinding(name: string, hours: number): Message {
  if (hours < 1) return message('health.backup-now', { name });
  return hours < daysFromHours
    ? message('health.backup-hours', { hours, name })
    : message('health.backup-days', { days: Math.floor(hours / 24), name });
}

function snapshotFinding(hours: number): Message {
  if (hours < 1) return message('health.snapshot-now');
  return hours < daysFromHours
    ? message('health.snapshot-hours', { hours })
    : message('health.snapshot-days', { days: Math.floor(hours / 24) });
}

async function copies(app: AppContext): Promise<Found> {
  const { backup, snapshot, noSnapshots } = await latestBackups(app);
  const hoursSince = (at: number) => Math.max(0, Math.floor((app.now() - at) / 3600));
  const finding = [
    backup ? backupFinding(backup.name, hoursSince(backup.at)) : message('health.no-backup'),
    snapshot ? snapshotFinding(hoursSince(snapshot.at)) : message('health.no-snapshot'),
    ...(noSnapshots ? [noSnapshots] : []),
  ];
  const newest = Math.max(backup?.at ?? 0, snapshot?.at ?? 0);
  if (!backup) return warn(finding, message('health.no-backup-remedy'));
  return newest < app.now() - oldCopyDays * day ? warn(finding, message('health.old-backup-remedy')) : good(finding);
}

function databaseFinding({ checked }: AppContext['health']): Message {
  if (checked === null) return message('health.database-unchecked');
  return checked === 'all' ? message('health.database') : message('health.database-partly', checked);
}

async function database(app: AppContext): Promise<Found> {
  const { config, health } = app;
  if (config.databaseUrl) return good(message('health.database-postgres'));
  if (!health.damage) return good(databaseFinding(health));
  const [snapshot, [backup]] = [await newestSnapshotFor(config), await listBackups(app)];
  const copy = snapshot?.id ?? backup?.filename;
  return bad(
    message('health.database-damaged', { why: health.damage }),
    message('health.database-remedy'),
    copy && `npm run cli -- restore ${copy}`,
  );
}

function work({ health }: AppContext): Found {
  if (typeof health.work === 'object')
    return bad(message('health.work-failed', { why: health.work.failedStep }), message('health.work-failed-remedy'));
  if (health.work === 'beginning') return warn(message('health.work-starting'), message('health.work-starting-remedy'));
  return health.failedSteps.length > 0
    ? warn(message('health.cleanup-failed', { what: health.failedSteps.join(', ') }), message('health.cleanup-failed-remedy'))
    : good(message('health.work'));
}

const leastDataBytes = 1e9;

/** Finds what is wrong on this node and may be right on others. Cheap, because every node does so every few seconds. */
export async function findNodeProblems(app: AppContext): Promise<Message[]> {
  const { config, tools } = app;
  const found: Found[] = [];
  if (config.role !== 'web') {
    if (await isSought(tools, 'ytdlp')) found.push(await ytdlp(app));
    if (tools.solver) found.push(challenges(tools.solver));
    if (await isSought(tools, 'ffmpeg')) found.push(ffmpeg(app));
    found.push(work(app));
  }
  const free = await freeBytes(config.dataFolder);
  const media = await whyMediaUnavailable(app);
  return [
    ...found.filter(({ state }) => state !== 'good').flatMap(({ messages }) => messages),
    ...(free < leastDataBytes
      ? [message('health.data-folder', { folder: config.dataFolder, free: Math.floor(free / 1e6) })]
      : []),
    ...(media ? [media] : []),
  ];
}

/** The speech engine and its model; none while transcripts are off. */
async function speech(app: AppContext): Promise<NamedCheck[]> {
  const { isAllOff, transcribeChoicesOf } = await import('../speech/store.ts');
  if (isAllOff(await transcribeChoicesOf(app.db))) return [];
  const { whyNotReady } = await import('../speech/choose-model.ts');
  const found = whyNotReady(app).then((why) => (why ? bad(why) : good(message('health.speech'))));
  return [['speech', found]];
}

/** What converts videos while they are watched; none without ffmpeg, which its own check reports. */
function encoders(app: AppContext): NamedCheck[] {
  if (!app.tools.ffmpeg) return [];
  const check = async (): Promise<Found> => {
    const { checkEncoders } = await import('../hls/check-encoders.ts');
    const { state, findings, remedy } = await checkEncoders(app);
    return { good, warn, bad }[state](findings, remedy ?? undefined);
  };
  return [['encoders', check()]];
}

/** The model of the search by meaning, while that is on. */
async function meaning(app: AppContext): Promise<NamedCheck[]> {
  const { enabled, model } = (await readSettings(app.db)).meaning;
  if (!enabled) return [];
  const { whyNotReady } = await import('../meaning/why-not-ready.ts');
  const found = whyNotReady(app, model).then((why) => (why ? bad(why) : good(message('health.meaning'))));
  return [['meaning', found]];
}

/** Runs all health checks and returns each result with its remedy. Takes a second or two, because nothing is cached. */
export async function runHealthChecks(app: AppContext): Promise<Check[]> {
  await app.tools.searched.promise;
  const { network, clock } = await outside(app);
  // A failure of the database is reported by its own check.
  const sounds = await originalSounds(app.db).catch(() => []);
  const programs: NamedCheck[] = [
    ['ytdlp', ytdlpWithSource(app)],
    ...(await checkParts(app)),
    ['ffmpeg', ffmpeg(app)],
    ...(await speech(app)),
    ...(await meaning(app)),
  ];
  const system: NamedCheck[] = [
    ['database', database(app)],
    ['work', work(app)],
    ['disk', disk(app)],
    [app.files.isRemote ? 'bucket' : 'folders', folders(app)],
    ['clock', clock],
    ['network', network],
    ['login', login(app)],
    ...encoders(app),
    ['sites', sites(app)],
    ['files', files(app)],
    ...sounds,
    ['copies', copies(app)],
  ];
  const resultOf =
    (group: Check['group']) =>
    async ([name, result]: NamedCheck): Promise<Check> => ({
      name,
      title: messages[`check.${name}`],
      group,
      ...(await Promise.resolve(result).catch((error: unknown) => bad(message('health.unchecked', { why: messagesOf(error) })))),
    });
  return Promise.all([...programs.map(resultOf('programs')), ...system.map(resultOf('system'))]);
}
