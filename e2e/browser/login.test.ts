import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '#server/platform/process/run.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { alwaysOptions, withoutSecrets, extractorArguments } from '#server/platform/ytdlp/options.ts';
import { ytdlpSession } from '#server/archive/sites/ytdlp-session.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { add, createArchive, hasTools, queueOf, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Members' });
const forMembers = aVideo({
  id: 'memberVid01',
  channelId: channel.id,
  title: 'For members',
  fails: 'members',
  durationSeconds: 4,
});
const forAdults = aVideo({
  id: 'adultsVid01',
  channelId: channel.id,
  title: 'For adults',
  fails: 'ageGated',
  durationSeconds: 4,
});
const open = aVideo({ id: 'openVideo_1', channelId: channel.id, title: 'For everybody', durationSeconds: 4 });

const expiresAt = Math.floor(Date.now() / 1000) + 30 * 86_400;
const cookies = (login: string) =>
  ['LOGIN_INFO', 'SAPISID', '__Secure-3PAPISID']
    .map((name) => `.youtube.com\tTRUE\t/\tTRUE\t${expiresAt}\t${name}\t${name === 'LOGIN_INFO' ? login : 'abcdefgh/ijkl'}`)
    .join('\n');

describe.runIf(hasTools)('logged in with cookies', () => {
  let t: TestSiteArchive;
  beforeAll(async () => {
    t = await createArchive(aCatalogue({ channels: [channel], videos: [forMembers, forAdults, open] }));
  });
  afterAll(() => t.close());
  const state = async () => (await t.staff.call('GET', '/api/appsettings/cookie/')).json();
  const saveCookies = (cookie: string) => t.staff.call('PUT', '/api/appsettings/cookie/', { cookie });

  test('without cookies, restricted videos wait with the remedy in their message', async () => {
    await add(t, `${forMembers.id} ${forAdults.id}`);
    expect(await state()).toEqual({ cookie_enabled: false });
    const cookieHelp = expect.stringMatching(/Add cookies from .* in Settings → Cookie\.$/) as string;
    expect((await queueOf(t)).map(({ message }) => message)).toEqual([cookieHelp, cookieHelp]);
  });

  test.each([
    ['{"cookies": []}', /JSON/],
    ['Cookie: LOGIN_INFO=right', /seven fields/],
    ['# Netscape HTTP Cookie File\n', /no cookie/],
    [cookies('wrong'), /^\[cookie\]: import failed, not valid$/],
  ])('rejects and does not save invalid cookies: %s', async (text, sentence) => {
    const response = await saveCookies(text);
    expect([response.statusCode, response.json().error]).toEqual([400, expect.stringMatching(sentence)]);
    expect(await state()).toEqual({ cookie_enabled: false });
    expect(await t.app.db.selectFrom('secret').selectAll().execute()).toEqual([]);
  });

  test('downloads restricted videos once cookies are saved', async () => {
    const response = await saveCookies(cookies('right'));
    expect(response.json()).toMatchObject({
      cookie_enabled: true,
      status: true,
      validated: expect.any(Number),
      expires: expiresAt,
    });
    await startQueueIfDue(t.app);
    await t.runner.idle();
    expect(await videoOf(t, forMembers.id)).not.toBeNull();
    expect(await videoOf(t, forAdults.id)).not.toBeNull();
  });

  test('cookies are stored encrypted and left in no temporary folder', async () => {
    const [row] = await t.app.db.selectFrom('secret').selectAll().execute();
    expect(JSON.stringify(row)).not.toMatch(/LOGIN_INFO|youtube|right/);
    // Named by createTempDir; other tests run in other processes.
    const leftovers = (await readdir(tmpdir())).filter((name) => name.startsWith(`reelkeep-${process.pid}-`));
    for (const name of leftovers) expect(await readdir(join(tmpdir(), name)), name).not.toContain('cookies.txt');
  });

  test('reports an expired login when it is verified again', async () => {
    t.testSite.catalogue.faults.push({ host: 'youtube.com', path: '/', does: 'serverError' });
    const check = await t.staff.call('POST', '/api/appsettings/cookie/');
    expect(check.json().error).toMatch(/could not be checked/);
    t.testSite.catalogue.faults.length = 0;
    expect(await state()).toMatchObject({ status: true });
    expect((await t.staff.call('DELETE', '/api/appsettings/cookie/')).statusCode).toBe(204);
    expect(await state()).toEqual({ cookie_enabled: false });
  });

  test('a PO token is saved, validated and passed to yt-dlp', async () => {
    const tokenPath = '/api/appsettings/potoken/';
    expect((await t.staff.call('GET', tokenPath)).statusCode).toBe(404);
    expect((await t.staff.call('POST', tokenPath, { potoken: 'x; --exec id' })).statusCode).toBe(400);
    expect((await t.staff.call('POST', tokenPath, { potoken: 'web.gvs+abc_DEF-123=' })).json()).toEqual({
      potoken: 'web.gvs+****',
    });
    expect((await t.staff.call('GET', tokenPath)).json()).toEqual({ potoken: 'web.gvs+****' });
    expect((await t.staff.call('POST', tokenPath, { potoken: 'web.gvs+****' })).statusCode).toBe(400);
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { potoken: true } });

    // Command lines that every user of the machine can read.
    const commandLines = new Set<string>();
    const timer = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          commandLines.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
        } catch {
          // already ended
        }
    }, 20);
    await add(t, open.id);
    clearInterval(timer);
    expect(await videoOf(t, open.id)).not.toBeNull();
    const runs = [...commandLines].filter((line) => line.includes(open.id));
    expect(runs.length).toBeGreaterThan(0);
    const { password } = new URL(t.app.tools.proxy.url);
    expect(password.length).toBeGreaterThan(10);
    for (const secret of ['abc_DEF-123', password]) expect(runs.filter((line) => line.includes(secret))).toEqual([]);
    const ytdlp = await ytdlpSession(t.app);
    const { args, input } = withoutSecrets([...alwaysOptions(ytdlp), ...extractorArguments({}, ytdlp.poToken), '--simulate']);
    const { stderr } = await run(
      ytdlp.program.command,
      [...args, '--verbose', '--', `https://www.youtube.com/watch?v=${open.id}`],
      {
        cwd: t.folder,
        input,
        signal: new AbortController().signal,
      },
    );
    expect(stderr).toMatch(/Stdin config: .*po_token=web\.gvs\+abc_DEF-123=/);
    expect((await t.staff.call('DELETE', tokenPath)).statusCode).toBe(204);
  });
});

describe.runIf(hasTools)('a PO token provider', () => {
  test('is asked by the only permitted plugin, and only when configured', async () => {
    const requests: string[] = [];
    const authorizations = new Set<string | undefined>();
    const provider = createServer((incoming, response) => {
      requests.push(`${incoming.method} ${incoming.url}`);
      authorizations.add(incoming.headers.authorization);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ version: '2.0.2', server_uptime: 1, poToken: 'abcd' }));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as { port: number };
    const video = aVideo({ id: 'tokenVideo1', channelId: channel.id, title: 'With a token', durationSeconds: 4 });
    const t = await createArchive(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      const settings = { downloads: { pot_provider_url: `http://potuser:pot-canary@127.0.0.1:${port}` } };
      expect((await t.staff.call('POST', '/api/appsettings/config/', settings)).statusCode).toBe(200);
      await vi.waitFor(() => expect(t.app.tools.pluginsFolder).not.toBeNull(), { timeout: 240_000, interval: 100 });
      const ytdlp = await ytdlpSession(t.app);
      // The test site requires no PO token, so an option makes yt-dlp request one.
      const options = [...alwaysOptions(ytdlp), '--extractor-args=youtube:fetch_pot=always', '--simulate', '--print=id'];
      const { args, input } = withoutSecrets(options);
      // Every user of the machine can read the arguments of a program.
      expect(args.join('\n')).not.toContain('pot-canary');
      const { stdout } = await run(ytdlp.program.command, [...args, '--', `https://www.youtube.com/watch?v=${video.id}`], {
        cwd: t.folder,
        input,
        signal: new AbortController().signal,
      });
      expect(stdout).toContain(video.id);
      expect(requests).toEqual(expect.arrayContaining(['GET /ping', 'POST /get_pot']));
      expect([...authorizations]).toEqual([`Basic ${btoa('potuser:pot-canary')}`]);
    } finally {
      await t.close();
      provider.close();
    }
  });
});
