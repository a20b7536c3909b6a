import { link, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '#contract/doctor.ts';
import type { Archive } from '../archive.ts';
import { listBackups } from '../backup/folder.ts';
import { newestFor } from '../backup/snapshots.ts';
import { newestCopies } from '../backup/state.ts';
import { binTotals } from '../bin/make-room.ts';
import { freeBytes, inGigabytes } from '../download/room-left.ts';
import { pausedSites } from '../download/site-pause.ts';
import { saidBy } from '../http/said.ts';
import { whyNotBelieved } from '../library/media-marker.ts';
import { cookieState } from '../settings/cookie.ts';
import { currentSettings } from '../settings/read.ts';
import { daysOld, oldAfterDays } from '../ytdlp/program.ts';

type Found = Pick<Check, 'state' | 'says' | 'do' | 'command'>;
const good = (says: string): Found => ({ state: 'good', says });
const warn = (says: string, what?: string): Found => ({ state: 'warn', says, ...(what && { do: what }) });
const bad = (says: string, what?: string, command?: string): Found => ({
  state: 'bad',
  says,
  ...(what && { do: what }),
  ...(command && { command }),
});

const day = 86_400;
const clockSlackSeconds = 300;

const toInstall = 'Install it, or let it be brought here (under Settings).';

/** What to do about a program that is configured and of no use; else what is done without. */
const insteadOf = (name: string, path: string | undefined, otherwise: string) =>
  path ? `${name} names ${path}, which is not there or does not run. Correct it, or take it away.` : otherwise;

function ytdlp({ config, tools, now }: Archive): Found {
  if (!tools.ytdlp)
    return bad(
      tools.tooOldYtdlp
        ? `yt-dlp ${tools.tooOldYtdlp.version} is too old to be used, so nothing can be fetched.`
        : 'yt-dlp is not there, so nothing can be fetched.',
      tools.tooOldYtdlp ? toInstall : insteadOf('REELKEEP_YTDLP', config.ytdlpPath, toInstall),
      'pip install --upgrade yt-dlp',
    );
  const { version } = tools.ytdlp;
  const age = daysOld(version, now());
  return age > oldAfterDays
    ? warn(`yt-dlp ${version} is ${age} days old.`, 'Update it; sites change, and an old one stops understanding them.')
    : good(`yt-dlp ${version}`);
}

const ffmpeg = ({ config, tools }: Archive): Found =>
  tools.ffmpeg
    ? good(`ffmpeg ${tools.ffmpeg.version}`)
    : bad(
        'ffmpeg is not there, so nothing can be checked or put together.',
        insteadOf('REELKEEP_FFMPEG', config.ffmpegPath, 'Install ffmpeg.'),
        config.ffmpegPath ? undefined : 'apt-get install ffmpeg',
      );

const amount = (bytes: number) => (bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${inGigabytes(bytes)} GB`);

async function disk(archive: Archive): Promise<Found> {
  const { queue } = await currentSettings(archive);
  const free = (await freeBytes(archive.config.mediaFolder)) / 1e9;
  const bin = await binTotals(archive);
  const inBin =
    bin.count === 1
      ? ` The bin holds 1 deleted video (${amount(bin.sizeBytes)}).`
      : ` The bin holds ${bin.count} deleted videos (${amount(bin.sizeBytes)}).`;
  const says = `${free.toFixed(1)} GB are free for media.${bin.count > 0 ? inBin : ''}`;
  if (free < queue.reserve)
    return bad(`${says} Downloads wait until ${queue.reserve} GB are free.`, 'Make room, or set less aside (under Settings).');
  return free < queue.reserve * 3 + 5 ? warn(says, 'Make room soon.') : good(says);
}

/** Throws why a folder cannot be read and written; one that is not there is made when it is needed, unless it `mustBe`. */
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

// Below the data folder; a command that another account runs may have made them.
const helpers = ['backup', 'snapshots', 'tools', 'import'];

async function folders({ config }: Archive): Promise<Found> {
  const { dataFolder, mediaFolder, cacheFolder } = config;
  const notThere = await whyNotBelieved({ config });
  if (notThere) return bad(notThere, 'Mount its disk; nothing is downloaded, compared or deleted until then.');
  const [needed, others] = [[dataFolder, mediaFolder, cacheFolder], helpers.map((name) => join(dataFolder, name))];
  let linkless: Found | undefined;
  for (const folder of [...needed, ...others]) {
    try {
      await tryFolder(folder, { mustBe: needed.includes(folder), knowsLinks: folder === mediaFolder });
    } catch (error) {
      if (error instanceof NoLinks) {
        linkless = warn(`${folder} knows no hard links; files are renamed into place instead.`, 'Nothing needs to be done.');
        continue;
      }
      const { uid } = await stat(folder).catch(() => ({ uid: '?' }));
      return bad(
        `${folder} cannot be written: ${(error as Error).message}`,
        `Let this account write it; it belongs to ${uid} now.`,
        `chown ${others.includes(folder) ? '-R ' : ''}${process.getuid?.() ?? '?'}:${process.getgid?.() ?? '?'} '${folder}'`,
      );
    }
  }
  return linkless ?? good('All folders can be written.');
}
class NoLinks extends Error {}

/** One small request tells whether the internet can be reached, and by its date whether our clock is right. */
async function outside({ tools, now }: Archive): Promise<{ network: Found; clock: Found }> {
  try {
    const answer = await tools.gate.fetch('https://www.youtube.com/generate_204', { timeMs: 10_000, maxBytes: 100_000 });
    await answer.body?.cancel();
    const date = Date.parse(answer.headers.get('date') ?? '') / 1000;
    const off = Number.isFinite(date) ? Math.round(now() - date) : null;
    const clock =
      off === null
        ? warn('Nobody told us the time to compare with.')
        : Math.abs(off) > clockSlackSeconds
          ? bad(
              `The clock is ${Math.abs(off)} seconds ${off > 0 ? 'ahead' : 'behind'}.`,
              "Set it, or switch on the system's time service.",
            )
          : good('The clock is right.');
    return { network: good('The internet can be reached.'), clock };
  } catch (error) {
    return {
      network: bad(`The internet cannot be reached: ${(error as Error).message}`, 'Check the connection, or REELKEEP_PROXY.'),
      clock: warn('Nobody told us the time to compare with.'),
    };
  }
}

async function login(archive: Archive): Promise<Found> {
  const { cookie_enabled: isOn, status, expires } = await cookieState(archive);
  if (!isOn) return good('Downloads are not logged in anywhere.');
  if (status === false) return bad('The stored login has ended.', 'Store a fresh cookie (under Settings).');
  if (!expires) return good('Downloads are logged in.');
  const days = Math.floor((expires - archive.now()) / day);
  if (days < 0) return bad('The stored login has ended.', 'Store a fresh cookie (under Settings).');
  return days < 7
    ? warn(`The stored login ends in ${days} days.`, 'Store a fresh cookie soon (under Settings).')
    : good(`The stored login holds for ${days} days.`);
}

async function sites({ db, now }: Archive): Promise<Found> {
  const paused = await pausedSites(db, now());
  if (paused.length === 0) return good('No site turns us away.');
  const names = paused.map(({ site, untilAt }) => `${site} until ${new Date(untilAt * 1000).toISOString().slice(0, 16)}Z`);
  return warn(`Left alone for now: ${names.join(', ')}.`, 'It goes on by itself. A longer pause between downloads prevents it.');
}

async function files({ db }: Archive): Promise<Found> {
  const { count } = await db
    .selectFrom('video')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('damage', 'is not', null)
    .executeTakeFirstOrThrow();
  return count === 0
    ? good('No damaged file is known.')
    : bad(`${count} file(s) are damaged or missing.`, 'Download them again, or restore them from a copy.');
}

const oldCopyDays = 8; // a week's backup, and a day for a machine that was off

async function copies(archive: Archive): Promise<Found> {
  const { backup, snapshot, noSnapshots } = await newestCopies(archive);
  const ago = (at: number) => {
    const hours = Math.max(0, Math.floor((archive.now() - at) / 3600));
    return hours < 1 ? 'less than an hour ago' : hours < 48 ? `${hours} hours ago` : `${Math.floor(hours / 24)} days ago`;
  };
  const says = [
    backup ? `Last backup ${ago(backup.at)} (${backup.name}), looked over when it came.` : 'There is no backup yet.',
    snapshot ? `Last snapshot ${ago(snapshot.at)}, read again after it was written.` : 'There is no snapshot yet.',
    ...(noSnapshots ? [noSnapshots] : []),
  ].join(' ');
  const newest = Math.max(backup?.at ?? 0, snapshot?.at ?? 0);
  return newest < archive.now() - oldCopyDays * day
    ? warn(says, 'Write a backup, or give it a schedule (both under Settings). Keep a copy on another disk.')
    : good(says);
}

async function database({ config, troubles }: Archive): Promise<Found> {
  if (!troubles.damage) return good('No damage of the database is known.');
  const [snapshot, [backup]] = [await newestFor(config), await listBackups({ config })];
  const copy = snapshot?.id ?? backup?.filename;
  return bad(
    `The database is damaged: ${troubles.damage}`,
    'Go back to a snapshot or a backup (Settings, Application). What is damaged is kept beside it; media files are not touched.',
    copy && `npm run restore -- ${copy}`,
  );
}

function work({ troubles }: Archive): Found {
  if (typeof troubles.work === 'object')
    return bad(
      `Background work could not begin, and is tried again: ${troubles.work.couldNot}`,
      'Put right what it says. Until then nothing is downloaded and no task runs.',
    );
  if (troubles.work === 'beginning')
    return warn('Background work has not begun yet: what an earlier run left is being put right.', 'Look again in a minute.');
  return troubles.untidy.length > 0
    ? warn(
        `Not everything that an earlier run left could be put right: ${troubles.untidy.join(', ')}.`,
        'Look at the folders, and into the log, which says why. It is tried again at the next start.',
      )
    : good('Background work has begun.');
}

/** Everything that must be right for the archive to work, each with what a person can do. Takes a second or two: it really looks. */
export async function examine(archive: Archive): Promise<Check[]> {
  const { network, clock } = await outside(archive);
  const checks: [name: string, title: string, found: Found | Promise<Found>][] = [
    ['ytdlp', 'yt-dlp', ytdlp(archive)],
    ['ffmpeg', 'ffmpeg', ffmpeg(archive)],
    ['database', 'Database', database(archive)],
    ['work', 'Background work', work(archive)],
    ['disk', 'Disk', disk(archive)],
    ['folders', 'Folders', folders(archive)],
    ['clock', 'Clock', clock],
    ['network', 'Network', network],
    ['login', 'Login at sites', login(archive)],
    ['sites', 'Sites', sites(archive)],
    ['files', 'Files', files(archive)],
    ['copies', 'Last backup and snapshot', copies(archive)],
  ];
  return Promise.all(
    checks.map(async ([name, title, found]) => {
      const what = await Promise.resolve(found).catch((error: unknown) =>
        bad(`This could not be checked: ${(error as Error).message}`),
      );
      return { name, title, ...what, said: saidBy(what.says), do_said: saidBy(what.do) };
    }),
  );
}
