import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { retryNow } from '#server/archive/queue/claims.ts';
import { closePoTokens, poTokenProvider } from '#server/archive/sites/po-tokens.ts';
import { startQueueIfDue } from '#server/features/download/start-if-due.ts';
import { openLog } from '#server/platform/observability/log.ts';
import { aCatalogue, aChannel, aVideo } from '../../test-site/builders.ts';
import { bindingOf } from '../../test-site/services/botguard.ts';
import { addressOf, createTempFolder, logInToProgram, startProgram } from '../support/program.ts';
import { startTestSite } from '../../test-site/site.ts';
import { add, createArchive, hasTools, queueOf, testSiteEnv, videoOf, type TestSiteArchive } from '../support/acquisition.ts';

const channel = aChannel({ name: 'Tokens' });
const wanting = aVideo({
  id: 'wantsTokenX',
  channelId: channel.id,
  title: 'Wants a token',
  durationSeconds: 2,
  wantsPoToken: true,
});
const plain = aVideo({ id: 'plainVideoX', channelId: channel.id, title: 'Wants none', durationSeconds: 2 });

describe.runIf(hasTools)('PO tokens', () => {
  let t: TestSiteArchive;
  const lines: string[] = [];
  beforeEach(async () => {
    lines.length = 0;
    t = await createArchive(aCatalogue({ channels: [channel], videos: [wanting, plain] }));
    const log = openLog(t.app.config, { write: (line) => void lines.push(line) });
    Object.assign(t.app, { log });
  });
  afterEach(() => t.close());

  const save = (downloads: object) => t.staff.call('POST', '/api/appsettings/config/', { downloads });
  const testNow = async () => {
    const response = await t.staff.call('POST', '/api/appsettings/potoken/test/');
    return { status: response.statusCode, ...(response.json() as { length?: number; age?: number; error?: string }) };
  };
  const retry = async () => {
    await retryNow(t.app.db, ['network', 'token'], t.app.now());
    await startQueueIfDue(t.app);
    await t.runner.idle();
  };
  const failure = async () => (await queueOf(t))[0]?.failure;
  const hasPlugin = () => vi.waitFor(() => expect(t.app.tools.pluginsFolder).not.toBeNull(), { timeout: 240_000 });
  const tokens = () =>
    t.testSite.requests.flatMap(({ path }) => /[?&]pot=([^&]+)/.exec(path)?.[1] ?? []).map((token) => decodeURIComponent(token));
  const attestations = () => t.testSite.requests.filter(({ path }) => path.endsWith('/GenerateIT')).length;

  test('are created for an hour after a download failed without one, and the download is retried soon', async () => {
    await add(t, plain.id);
    expect([(await videoOf(t, plain.id)).title, attestations()]).toEqual([plain.title, 0]);
    await add(t, wanting.id);
    await retry();
    expect(await failure()).toBe('token');
    const { retryAt } = await t.app.db.selectFrom('download').select('retryAt').executeTakeFirstOrThrow();
    expect(retryAt! - t.app.now()).toBeLessThanOrEqual(60);
    await hasPlugin();
    await retry();
    expect((await videoOf(t, wanting.id)).title).toBe(wanting.title);
    expect(tokens().map((token) => bindingOf(token))).not.toContain(null);
    expect([tokens().length > 0, attestations()]).toEqual([true, 1]);
    const { neededUntil } = t.app.state.poTokens;
    expect(neededUntil - t.app.now()).toBeLessThanOrEqual(3600);
    expect(await poTokenProvider({ ...t.app, now: () => neededUntil - 1 })).not.toBeNull();
    expect(await poTokenProvider({ ...t.app, now: () => neededUntil })).toBeNull();
  });

  test('are not in the log and not in the arguments of processes, nor is what they are bound to', async () => {
    await save({ po_tokens: 'always' });
    await hasPlugin();
    const shown = new Set<string>();
    const timer = setInterval(() => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        try {
          shown.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
        } catch {
          // already ended
        }
    }, 20);
    t.testSite.catalogue.interpreter = 'throw new Error(JSON.stringify(globalThis))';
    await add(t, plain.id);
    delete t.testSite.catalogue.interpreter;
    await add(t, wanting.id);
    clearInterval(timer);
    expect((await videoOf(t, wanting.id)).title).toBe(wanting.title);
    const { service } = (await t.app.state.poTokens.running)!;
    const bindings = tokens().map((token) => bindingOf(token)!);
    const passwords = [service.url, t.app.tools.proxy.url].map((url) => new URL(url).password);
    const secrets = [...tokens(), ...bindings.filter((binding) => binding.length > 11), ...passwords];
    expect(bindings.length).toBeGreaterThan(0);
    const text = [...shown, ...lines].join('\n');
    expect(text).toMatch(/botguard/);
    expect(text).toMatch(/cannot create a PO token/);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('are tested with the current setting', async () => {
    expect(await testNow()).toMatchObject({ status: 200, length: expect.any(Number), age: 0 });
    t.testSite.catalogue.interpreter = 'throw new Error("broken")';
    await closePoTokens(t.app);
    expect(await testNow()).toMatchObject({ status: 400, error: expect.stringMatching(/program of YouTube failed \(broken\)/) });
    await save({ po_tokens: 'provider' });
    expect(await testNow()).toMatchObject({ status: 400, error: expect.stringMatching(/Enter its address/) });
    await save({ pot_provider_url: 'http://127.0.0.1:9' });
    expect(await testNow()).toMatchObject({ status: 400, error: expect.stringMatching(/Could not reach/) });
    await save({ po_tokens: 'never' });
    expect(await testNow()).toMatchObject({ status: 400, error: expect.stringMatching(/turned off/) });
  });

  test('name the remedy when the plugin of yt-dlp cannot be installed', async () => {
    vi.stubEnv('PIP_INDEX_URL', 'http://name:canary@127.0.0.1:9/simple').stubEnv('PIP_RETRIES', '0');
    try {
      const { status, error } = await testNow();
      expect([status, error]).toEqual([
        400,
        expect.stringMatching(/^Could not install .*reaches pypi\.org, or set PIP_INDEX_URL/s),
      ]);
      expect(error).not.toContain('canary');
      await save({ po_tokens: 'always' });
      await add(t, plain.id);
      expect((await videoOf(t, plain.id)).title).toBe(plain.title);
      expect(lines.join('')).toMatch(/Could not install the yt-dlp plugin/);
      expect(lines.join('')).not.toContain('canary');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await testNow()).toMatchObject({ status: 200 });
  });

  test('come from the provider of the user, which never gets the proxy of this server, unless they are turned off', async () => {
    const bodies: string[] = [];
    const provider = createServer(async (request, response) => {
      bodies.push((await request.toArray()).join(''));
      response.end(JSON.stringify({ version: '2.0.2', poToken: Buffer.from('proof:provider').toString('base64url') }));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const { port } = provider.address() as AddressInfo;
    try {
      await save({ pot_provider_url: `http://127.0.0.1:${port}`, pot_provider_proxy: 'http://out:pw@proxy.example:3128' });
      await hasPlugin();
      await save({ po_tokens: 'never' });
      await add(t, wanting.id);
      expect([await failure(), bodies.length]).toEqual(['network', 0]);
      await save({ po_tokens: 'provider' });
      await retry();
      expect((await videoOf(t, wanting.id)).title).toBe(wanting.title);
      expect(new Set(tokens().map((token) => bindingOf(token)))).toEqual(new Set(['provider']));
      const sent = bodies.filter(Boolean).map((body) => JSON.parse(body) as { proxy: string });
      expect(new Set(sent.map(({ proxy }) => proxy))).toEqual(new Set(['http://out:pw@proxy.example:3128']));
      expect(bodies.join()).not.toContain(new URL(t.app.tools.proxy.url).password);
      expect(attestations()).toBe(0);
    } finally {
      provider.closeAllConnections();
      provider.close();
    }
  });
});

/** Returns the processes that create tokens for a server. */
const botguardsOf = (parent: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [status, command] = ['status', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'));
        const isChild = status!.includes(`PPid:\t${parent}\n`) && command!.includes('/botguard-child.');
        return isChild ? [{ pid, command: command!, residentBytes: Number(/VmRSS:\s+(\d+)/.exec(status!)?.[1]) * 1024 }] : [];
      } catch {
        return [];
      }
    });

describe.runIf(hasTools)('the process for PO tokens of the program that users start', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('stays below 110 MB, and ends with a server that gets %s', async (signal) => {
    const site = await startTestSite();
    const folder = await createTempFolder();
    const program = await startProgram({ data: folder.path, env: testSiteEnv(site) });
    try {
      const { call } = await logInToProgram(await addressOf(program));
      expect(botguardsOf(program.child.pid!)).toEqual([]);
      expect(await call('POST', '/api/appsettings/potoken/test/')).toMatchObject({ status: 200, json: { length: 24 } });
      const [botguard, ...others] = botguardsOf(program.child.pid!);
      expect(others).toEqual([]);
      if (botguard!.command.includes('.mjs')) expect(botguard!.residentBytes).toBeLessThan(110_000_000);
      program.child.kill(signal);
      await program.ended;
      await vi.waitFor(() => expect(existsSync(`/proc/${botguard!.pid}`)).toBe(false), { timeout: 60_000 });
    } finally {
      program.child.kill('SIGKILL');
      await program.ended;
      await site.close();
      await folder.remove();
    }
  });
});
