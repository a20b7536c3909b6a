import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeSecret } from '#server/archive/settings/secret.ts';
import { createUser } from '#server/test-support/app.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { createArchive, hasTools, type TestSiteArchive } from '../support/acquisition.ts';

const known = aChannel({ name: 'Known' });
const unknown = aChannel({ name: 'Unknown' });
const videos = [known, unknown].map(({ id, name }) => aVideo({ channelId: id, title: name, durationSeconds: 4 }));

/** Wraps the real yt-dlp and logs the start and end of each lookup. */
const loggingYtdlp = (log: string) => `#!/bin/sh
case "$*" in *--version*|*--help*) exec '${process.env.REELKEEP_YTDLP}' "$@" ;; esac
echo "begin $*" >> '${log}'
'${process.env.REELKEEP_YTDLP}' "$@"
status=$?
echo end >> '${log}'
exit $status
`;

describe.runIf(hasTools)('searching for a channel that is not in the archive', () => {
  let t: TestSiteArchive;
  let folder: string;
  let user: Awaited<ReturnType<typeof createUser>>;
  const log = () => join(folder, 'log');
  const loggedLines = async () => (await readFile(log(), 'utf8')).split('\n').filter(Boolean);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelkeep-lookups-'));
    const program = join(folder, 'yt-dlp');
    await writeFile(program, loggingYtdlp(log()));
    await chmod(program, 0o755);
    t = await createArchive(aCatalogue({ channels: [known, unknown], videos }), { env: { REELKEEP_YTDLP: program } });
    user = await createUser(t);
    const end = Math.floor(Date.now() / 1000) + 86_400;
    const cookie = `.youtube.com\tTRUE\t/\tTRUE\t${end}\tLOGIN_INFO\tright\n`;
    await writeSecret(t.app, 'cookie', cookie, { endsAt: end });
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { cookie_import: true } });
    await t.staff.call('POST', '/api/channel/', { data: [{ channel_id: known.handle, channel_subscribed: true }] });
    await t.runner.idle();
  });
  beforeEach(() => writeFile(log(), ''));
  afterAll(async () => {
    await t.close();
    await rm(folder, { recursive: true, force: true });
  });
  const search = (client: typeof user | TestSiteArchive['staff'], q: string) =>
    client.call('GET', `/api/channel/search/?q=${encodeURIComponent(q)}`);
  const searchThirtyTimes = (client: typeof user | TestSiteArchive['staff'], kind: string) =>
    Promise.all(Array.from({ length: 30 }, (_, n) => search(client, `https://www.youtube.com/c/${kind}${n}`)));

  test('starts no yt-dlp for 30 parallel requests of an ordinary user', async () => {
    expect(new Set((await searchThirtyTimes(user, 'ordinary')).map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
    expect(await loggedLines()).toEqual([]);
    expect((await search(user, known.handle)).json()).toMatchObject({ channel_id: known.id });
  });

  test('runs one yt-dlp at a time for staff, without cookies, and rejects requests that would wait long', async () => {
    const responses = await searchThirtyTimes(t.staff, 'staff');
    const rejected = responses.filter(({ statusCode }) => statusCode === 429);
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(6).fill(404), ...Array(24).fill(429)]);
    for (const { headers } of rejected) expect(headers['retry-after']).toBe('30');
    const lines = await loggedLines();
    expect(lines.map((line) => line.split(' ')[0])).toEqual(Array.from({ length: 6 }, () => ['begin', 'end']).flat());
    expect(lines.join('\n')).not.toContain('--cookies');
  });

  test('looks up the same URL once', async () => {
    const q = `https://www.youtube.com/c/${unknown.handle.slice(1)}`;
    await Promise.all([search(t.staff, q), search(t.staff, q), search(t.staff, q)]);
    expect(await loggedLines()).toHaveLength(2);
  });

  test('sends no request to a site in a cooldown, and starts a cooldown when the site blocks', async () => {
    t.testSite.catalogue.faults.push({ host: 'youtube.com', does: 'tooMany' });
    expect((await search(t.staff, '@refused')).statusCode).toBe(404);
    t.testSite.catalogue.faults.length = 0;
    expect((await t.staff.call('GET', '/api/download/cooldowns/')).json()).toMatchObject([{ site: 'youtube' }]);
    await writeFile(log(), '');
    expect((await search(t.staff, '@another')).statusCode).toBe(404);
    expect(await loggedLines()).toEqual([]);
    await t.app.db.deleteFrom('siteCooldown').execute();
    await search(t.staff, '@another');
    expect(await loggedLines()).toHaveLength(2);
  });
});
