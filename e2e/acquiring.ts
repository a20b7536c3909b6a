import { vi } from 'vitest';
import { aUser, patience, testArchive, type TestArchive, type Wish } from '#server/testing.ts';
import { brokenPromises } from '#server/library/invariants.ts';
import { startStandin, type Standin } from '#standin/site.ts';
import type { Catalogue } from '#standin/catalogue.ts';

export const hasTools = Boolean(process.env.REELKEEP_YTDLP && process.env.REELKEEP_FFMPEG);

/** The environment of an archive whose whole internet is the stand-in. */
export const throughStandin = (standin: Pick<Standin, 'proxyUrl'>) => ({
  REELKEEP_PROXY: standin.proxyUrl,
  REELKEEP_PROXY_INSECURE: 'on',
});

/** An archive with the real yt-dlp and ffmpeg, the stand-in for an internet, and somebody who may do everything. */
export async function anArchiveWith(catalogue: Catalogue, wish: Pick<Wish, 'env' | 'on'> = {}) {
  const standin = await startStandin({ catalogue });
  const t = await testArchive({
    env: { ...throughStandin(standin), ...wish.env },
    withTools: true,
    ...(wish.on && { on: wish.on }),
  });
  const staff = await aUser(t, { isStaff: true });
  await staff.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null } });
  await t.runner.begin();
  return {
    ...t,
    standin,
    staff,
    async close() {
      await t.close();
      await standin.close();
    },
  };
}
export type Acquiring = Awaited<ReturnType<typeof anArchiveWith>>;

/** Adds what was written into the box, and waits until everything has come to rest. */
export async function add({ staff, runner }: Pick<Acquiring, 'staff' | 'runner'>, text: string, query = '?autostart=true') {
  const answer = await staff.call('POST', `/api/download/${query}`, { data: [{ youtube_id: text, status: 'pending' }] });
  await runner.idle();
  return answer.json() as { task_id: string };
}

export const queueOf = async ({ staff }: Pick<Acquiring, 'staff'>) =>
  (await staff.call('GET', '/api/download/?filter=pending')).json().data as {
    youtube_id: string;
    title: string;
    failure?: string;
    message?: string;
    vid_type: string;
  }[];

export const videoOf = async ({ staff }: Pick<Acquiring, 'staff'>, id: string) => {
  const answer = await staff.call('GET', `/api/video/${id}/`);
  return answer.statusCode === 200 ? answer.json() : null;
};

export async function complaints({ archive }: Pick<TestArchive, 'archive'>): Promise<string[]> {
  return Array.fromAsync(brokenPromises(archive));
}

/** Waits until `look` answers something; `what` is said of it when it does not. */
export const eventually = <T>(look: () => Promise<T | null | undefined | false>, what = ''): Promise<T> =>
  vi.waitFor(async () => {
    const found = await look();
    if (!found) throw new Error(`not yet ${what}`.trim());
    return found;
  }, patience);
