import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { run } from '#server/child/run.ts';
import { wakeQueue } from '#server/download/wake.ts';
import { alwaysOptions, discreetly, extractorArguments } from '#server/ytdlp/options.ts';
import { ytdlpOf } from '#server/ytdlp-of.ts';
import { aCatalogue, aChannel, aVideo } from '#standin/builders.ts';
import { add, anArchiveWith, hasTools, queueOf, videoOf, type Acquiring } from './acquiring.ts';

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

const ends = Math.floor(Date.now() / 1000) + 30 * 86_400;
const cookies = (login: string) =>
  ['LOGIN_INFO', 'SAPISID', '__Secure-3PAPISID']
    .map((name) => `.youtube.com\tTRUE\t/\tTRUE\t${ends}\t${name}\t${name === 'LOGIN_INFO' ? login : 'abcdefgh/ijkl'}`)
    .join('\n');

describe.runIf(hasTools)('logged in with the cookies of a person', () => {
  let t: Acquiring;
  beforeAll(async () => {
    t = await anArchiveWith(aCatalogue({ channels: [channel], videos: [forMembers, forAdults, open] }));
  });
  afterAll(() => t.close());
  const state = async () => (await t.staff.call('GET', '/api/appsettings/cookie/')).json();
  const put = (cookie: string) => t.staff.call('PUT', '/api/appsettings/cookie/', { cookie });

  test('without them, what is for some waits with a sentence that says what to do', async () => {
    await add(t, `${forMembers.id} ${forAdults.id}`);
    expect(await state()).toEqual({ cookie_enabled: false });
    for (const { message } of await queueOf(t)) expect(message).toMatch(/cookie of .* \(under Settings\)/);
  });

  test.each([
    ['{"cookies": []}', /JSON/],
    ['Cookie: LOGIN_INFO=right', /seven fields/],
    ['# Netscape HTTP Cookie File\n', /no cookie/],
    [cookies('wrong'), /^\[cookie\]: import failed, not valid$/],
  ])('what is no cookie file, or logs nobody in, is refused and not kept: %s', async (text, sentence) => {
    const answer = await put(text);
    expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringMatching(sentence)]);
    expect(await state()).toEqual({ cookie_enabled: false });
    expect(await t.archive.db.selectFrom('secret').selectAll().execute()).toEqual([]);
  });

  test('with them it comes by itself', async () => {
    const answer = await put(cookies('right'));
    expect(answer.json()).toMatchObject({ cookie_enabled: true, status: true, validated: expect.any(Number), expires: ends });
    await wakeQueue(t.archive);
    await t.runner.idle();
    expect(await videoOf(t, forMembers.id)).not.toBeNull();
    expect(await videoOf(t, forAdults.id)).not.toBeNull();
  });

  test('they are kept sealed, and no run leaves them lying', async () => {
    const [row] = await t.archive.db.selectFrom('secret').selectAll().execute();
    expect(JSON.stringify(row)).not.toMatch(/LOGIN_INFO|youtube|right/);
    const left = (await readdir(tmpdir())).filter((name) => /^reelkeep-\w{6}$/.test(name));
    for (const name of left) expect(await readdir(join(tmpdir(), name)), name).not.toContain('cookies.txt');
  });

  test('a login that has ended is seen when it is tried again', async () => {
    t.standin.catalogue.faults.push({ host: 'youtube.com', path: '/', does: 'serverError' });
    const tried = await t.staff.call('POST', '/api/appsettings/cookie/');
    expect(tried.json().error).toMatch(/could not be tried/);
    t.standin.catalogue.faults.length = 0;
    expect(await state()).toMatchObject({ status: true });
    expect((await t.staff.call('DELETE', '/api/appsettings/cookie/')).statusCode).toBe(204);
    expect(await state()).toEqual({ cookie_enabled: false });
  });

  test('a PO token is kept, checked, and given to yt-dlp', async () => {
    const at = '/api/appsettings/potoken/';
    expect((await t.staff.call('GET', at)).statusCode).toBe(404);
    expect((await t.staff.call('POST', at, { potoken: 'x; --exec id' })).statusCode).toBe(400);
    expect((await t.staff.call('POST', at, { potoken: 'web.gvs+abc_DEF-123=' })).json()).toEqual({
      potoken: 'web.gvs+abc_DEF-123=',
    });
    expect((await t.staff.call('GET', at)).json()).toEqual({ potoken: 'web.gvs+abc_DEF-123=' });
    await t.staff.call('POST', '/api/appsettings/config/', { downloads: { potoken: true } });

    // What anybody on the machine may see of what is run for it.
    const seen = new Set<string>();
    const look = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
        } catch {
          // over by now
        }
    }, 20);
    await add(t, open.id);
    clearInterval(look);
    expect(await videoOf(t, open.id)).not.toBeNull();
    const runs = [...seen].filter((line) => line.includes(open.id));
    expect(runs.length).toBeGreaterThan(0);
    const { password } = new URL(t.archive.tools.gate.url);
    expect(password.length).toBeGreaterThan(10);
    for (const secret of ['abc_DEF-123', password]) expect(runs.filter((line) => line.includes(secret))).toEqual([]);
    const ytdlp = await ytdlpOf(t.archive);
    const { args, input } = discreetly([...alwaysOptions(ytdlp), ...extractorArguments({}, ytdlp.poToken.token), '--simulate']);
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
    expect((await t.staff.call('DELETE', at)).statusCode).toBe(204);
  });
});

describe.runIf(hasTools)('a provider of PO tokens', () => {
  test('is asked by the one plugin that is let in, and only when it is set', async () => {
    const asked: string[] = [];
    const provider = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ version: '2.0.2', server_uptime: 1, poToken: 'abcd' }));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as { port: number };
    const video = aVideo({ id: 'tokenVideo1', channelId: channel.id, title: 'With a token', durationSeconds: 4 });
    const t = await anArchiveWith(aCatalogue({ channels: [channel], videos: [video] }));
    try {
      const set = { downloads: { pot_provider_url: `http://127.0.0.1:${port}` } };
      expect((await t.staff.call('POST', '/api/appsettings/config/', set)).statusCode).toBe(200);
      await vi.waitFor(() => expect(t.archive.tools.pluginsFolder).not.toBeNull(), { timeout: 240_000, interval: 100 });
      const ytdlp = await ytdlpOf(t.archive);
      // The stand-in asks for no proof by itself, so yt-dlp is told to get one.
      const args = [...alwaysOptions(ytdlp), '--extractor-args=youtube:fetch_pot=always', '--simulate', '--print=id'];
      const { stdout } = await run(ytdlp.program.command, [...args, '--', `https://www.youtube.com/watch?v=${video.id}`], {
        cwd: t.folder,
        signal: new AbortController().signal,
      });
      expect(stdout).toContain(video.id);
      expect(asked).toEqual(expect.arrayContaining(['GET /ping', 'POST /get_pot']));
    } finally {
      await t.close();
      provider.close();
    }
  });
});
