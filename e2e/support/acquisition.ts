import { renderMessages } from '#server/platform/messages/render.ts';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { vi } from 'vitest';
import { createUser, testTimeouts, testApp, type TestApp, type TestOptions } from '#server/test-support/app.ts';
import { findInconsistencies } from '#server/features/library/consistency/check.ts';
import { startTestSite, type TestSite } from '../../test-site/site.ts';
import type { Catalogue } from '../../test-site/catalogue.ts';

export const hasTools = Boolean(process.env.REELKEEP_YTDLP && process.env.REELKEEP_FFMPEG);

/** Environment variables that send all requests of an archive to the test site. */
export const testSiteEnv = (testSite: Pick<TestSite, 'proxyUrl'>) => ({
  REELKEEP_PROXY: testSite.proxyUrl,
  REELKEEP_PROXY_INSECURE: 'on',
});

/** Makes this process trust the certificate of the test site, as NODE_EXTRA_CA_CERTS does. Returns a function that undoes it. */
export function trust({ certificate }: Pick<TestSite, 'certificate'>): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, certificate]);
  return () => setDefaultCACertificates(before);
}

/** Creates an archive with the real yt-dlp and ffmpeg, the test site as its internet, and a staff user. */
export async function createArchive(catalogue: Catalogue, options: Pick<TestOptions, 'env' | 'on'> = {}) {
  const testSite = await startTestSite({ catalogue });
  const t = await testApp({
    env: { ...testSiteEnv(testSite), ...options.env },
    withTools: true,
    ...(options.on && { on: options.on }),
  });
  const staff = await createUser(t, { isStaff: true });
  await staff.call('POST', '/api/appsettings/config/', { downloads: { sleep_interval: null, subtitle: null } });
  await t.runner.begin();
  return {
    ...t,
    testSite,
    staff,
    async close() {
      await t.close();
      await testSite.close();
    },
  };
}
export type TestSiteArchive = Awaited<ReturnType<typeof createArchive>>;

/** Adds links to the queue, and waits until no task runs. */
export async function add({ staff, runner }: Pick<TestSiteArchive, 'staff' | 'runner'>, text: string, query = '?autostart=true') {
  const response = await staff.call('POST', `/api/download/${query}`, { data: [{ youtube_id: text, status: 'pending' }] });
  await runner.idle();
  return response.json() as { task_id: string };
}

export const queueOf = async ({ staff }: Pick<TestSiteArchive, 'staff'>) =>
  (await staff.call('GET', '/api/download/?filter=pending')).json().data as {
    youtube_id: string;
    title: string;
    failure?: string;
    message?: string;
    vid_type: string;
  }[];

export const videoOf = async ({ staff }: Pick<TestSiteArchive, 'staff'>, id: string) => {
  const response = await staff.call('GET', `/api/video/${id}/`);
  return response.statusCode === 200 ? response.json() : null;
};

export async function inconsistencies({ app }: Pick<TestApp, 'app'>): Promise<string[]> {
  return Array.fromAsync(findInconsistencies(app), (found) => renderMessages(found));
}

/** Waits until `look` returns a value, and returns it. `what` is part of the error after the timeout. */
export const eventually = <T>(look: () => Promise<T | null | undefined | false>, what = ''): Promise<T> =>
  vi.waitFor(async () => {
    const found = await look();
    if (!found) throw new Error(`not yet ${what}`.trim());
    return found;
  }, testTimeouts);
