import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bindingOf } from '#test-site/services/botguard.ts';
import { startTestSite, type TestSite } from '#test-site/site.ts';
import { openForwardProxy, type ForwardProxy } from '../egress/forward-proxy.ts';
import { startBotguard } from './botguard.ts';
import { createOwnSource, type OwnSourceOptions } from './own-source.ts';
import { openPotService } from './pot-service.ts';
import { createProviderSource } from './provider-source.ts';
import type { TokenSource } from './token-source.ts';

const version = '2.0.2';
const never = new AbortController().signal;
const limits = { timeMs: 20_000, residentBytes: 400_000_000 };
const eventually = (look: () => void) => vi.waitFor(look, { timeout: 240_000, interval: 20 });
const isAlive = (pid: number | null) => pid !== null && existsSync(`/proc/${pid}`);

let site: TestSite;
let proxy: ForwardProxy;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  site = await startTestSite();
  proxy = await openForwardProxy({ allow: [], upstream: site.proxyUrl, insecure: true });
});
afterEach(async () => {
  delete site.catalogue.interpreter;
  delete site.catalogue.integritySeconds;
  site.catalogue.faults.length = 0;
  for (const one of opened.splice(0)) await one.close();
});
afterAll(async () => {
  await proxy.close();
  await site.close();
});

function ownSource(options: Partial<OwnSourceOptions> = {}) {
  const source = createOwnSource({ fetch: proxy.fetch, limits, ...options });
  opened.push(source);
  return source;
}

describe('own PO tokens', () => {
  test('are bound to the requested text and created without another request while YouTube trusts the process', async () => {
    let now = 1_800_000_000_000;
    const source = ownSource({ now: () => now });
    const [first, second] = await Promise.all(['visitor-1', 'video-2'].map((binding) => source.request({ binding }, never)));
    expect([bindingOf(first!.token), bindingOf(second!.token)]).toEqual(['visitor-1', 'video-2']);
    const made = () => site.requests.filter(({ path }) => path.endsWith('/GenerateIT')).length;
    expect(made()).toBe(1);
    const pid = source.pid();
    now += 10 * 3600_000;
    expect((await source.request({ binding: 'x' }, never)).createdAt).toBe(1_800_000_000_000);
    expect([made(), source.pid()]).toEqual([1, pid]);
    now += 2 * 3600_000;
    await source.request({ binding: 'x' }, never);
    expect([made(), isAlive(pid)]).toEqual([2, false]);
  });

  test.each([
    ['twelve hours', 12 * 3600, [30 * 86_400, 3600]],
    ['a minute', 60, [30, 3600]],
  ] as const)('trust a process for %s when YouTube names another time', async (_, seconds, integritySeconds) => {
    site.catalogue.integritySeconds = [...integritySeconds];
    let now = 1_800_000_000_000;
    const source = ownSource({ now: () => now });
    await source.request({ binding: 'a' }, never);
    const pid = source.pid();
    now += seconds * 1000 - 1;
    await source.request({ binding: 'b' }, never);
    expect(source.pid()).toBe(pid);
    now += 1;
    await source.request({ binding: 'c' }, never);
    expect(source.pid()).not.toBe(pid);
  });

  test('use the challenge of the watch page', async () => {
    const challenge = {
      interpreterUrl: { privateDoNotAccessOrElseTrustedResourceUrlWrappedValue: '//www.google.com/js/th/test-interpreter.js' },
      program: 'test-program',
      globalName: 'testBotguard',
    };
    const before = site.requests.filter(({ path }) => path.includes('att/get')).length;
    expect(bindingOf((await ownSource().request({ binding: 'b', challenge }, never)).token)).toBe('b');
    expect(site.requests.filter(({ path }) => path.includes('att/get')).length).toBe(before);
  });

  test('the process ends after a time without requests, and starts again for the next one', async () => {
    const source = ownSource({ idleMs: 1 });
    await source.request({ binding: 'a' }, never);
    await eventually(() => expect(source.pid()).toBeNull());
    expect(bindingOf((await source.request({ binding: 'b' }, never)).token)).toBe('b');
  });

  test('a killed process is replaced', async () => {
    const source = ownSource();
    await source.request({ binding: 'a' }, never);
    const pid = source.pid()!;
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(isAlive(pid)).toBe(false));
    expect(bindingOf((await source.request({ binding: 'b' }, never)).token)).toBe('b');
  });

  test('a process that is killed while it works is reported', async () => {
    site.catalogue.interpreter = `globalThis.testBotguard = { a: () => new Promise(() => {}) };`;
    const source = ownSource();
    const request = source.request({ binding: 'a' }, never);
    const failed = expect(request).rejects.toThrow(/was ended\. Try again/);
    await eventually(() => expect(source.pid()).not.toBeNull());
    process.kill(source.pid()!, 'SIGKILL');
    await failed;
  });

  const vm = (code: string) =>
    `globalThis.testBotguard = { a: (program, ready) => ready((done, [, , signals]) => { ${code} }) };`;

  test.each([
    ['loops for ever', 'for (;;);', { timeMs: 1500 }, /did not end in time and was stopped/],
    ['never takes a snapshot', vm(''), { timeMs: 1500 }, /did not end in time and was stopped/],
    ['fills the heap', 'const all = []; for (;;) all.push({ some: [1, 2, String(all.length)] });', {}, /too much memory/],
    [
      'fills the memory outside of the heap',
      'const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));',
      {},
      /too much memory/,
    ],
    ['is no JavaScript', '<!doctype html>', {}, /program of YouTube failed \(Unexpected token/],
    ['throws', 'throw new Error("secret\\u0000<b>")', {}, /program of YouTube failed \(secretb\)/],
    ['ends its process', 'setTimeout(() => { throw 1 })', {}, /was ended|BotGuard unavailable/],
    ['is not there', '', {}, /BotGuard unavailable/],
    ['is larger than 2 MB', `/*${'x'.repeat(3e6)}*/`, {}, /www\.google\.com: the response is too large/],
    ['gives a wrong result', vm('done("wrong")'), {}, /GenerateIT|HTTP 400/],
    ['gives a result of 1 MB', vm('done("x".repeat(1e6))'), { timeMs: 3000 }, /did not end in time/],
  ])('are refused with the reason when the program %s', async (_, interpreter, some, reason) => {
    site.catalogue.interpreter = interpreter;
    const source = ownSource({ limits: { ...limits, ...some } });
    await expect(source.request({ binding: 'a' }, never)).rejects.toThrow(reason);
    expect(source.pid()).toBeNull();
    delete site.catalogue.interpreter;
    expect(bindingOf((await source.request({ binding: 'b' }, never)).token)).toBe('b');
  });

  test.each([
    ['more and more memory', 'true', limits],
    ['more than allowed, and less than the kernel would refuse', 'all.length < 8', { ...limits, residentBytes: 200_000_000 }],
  ])('the process is ended when the program later needs %s', async (_, condition, some) => {
    const later = `const all = []; setInterval(() => ${condition} && all.push(new Uint8Array(2e7).fill(1)), 5);`;
    const minter = `async (b) => { ${later} return b; }`;
    site.catalogue.interpreter = vm(`signals[0] = async () => ${minter}; done('DIV:Mozilla:test-program')`);
    const source = ownSource({ limits: some });
    expect((await source.request({ binding: 'a' }, never)).token).toBe('YQ==');
    const pid = source.pid();
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  test.each([
    ['1 MB', 'Uint8Array.from({ length: 1e6 })'],
    ['other bytes', '"text"'],
    ['nothing', 'null'],
  ])('are refused when they are %s', async (_, token) => {
    site.catalogue.interpreter = vm(`signals[0] = async () => async () => ${token}; done('DIV:Mozilla:test-program')`);
    const source = ownSource({ limits: { ...limits, timeMs: 3000 } });
    await expect(source.request({ binding: 'a' }, never)).rejects.toThrow(/program of YouTube|in time/);
  });

  test('are refused when YouTube sends no challenge', async () => {
    for (const does of ['notJson', 'serverError'] as const) {
      site.catalogue.faults.splice(0, 1, { host: 'youtube.com', path: '/youtubei/v1/att/get', does });
      await expect(ownSource().request({ binding: 'a' }, never)).rejects.toThrow(/no usable challenge/);
    }
  });

  test('do not load an interpreter from another site', async () => {
    const challenge = (address: string) => ({
      interpreterUrl: { privateDoNotAccessOrElseTrustedResourceUrlWrappedValue: address },
      program: 'p',
      globalName: 'g',
    });
    for (const address of [
      'https://evil.example/x.js',
      '//google.com.evil.example/x',
      'http://www.google.com/x',
      'file:///etc/passwd',
      '',
    ])
      await expect(ownSource().request({ binding: 'a', challenge: challenge(address) }, never), address).rejects.toThrow(
        /address of the interpreter/,
      );
  });
});

describe('the process that runs the program', () => {
  // Each expression is tried in the process; the first line of its result or error is returned.
  const attempts: Record<string, string> = {
    network: `fetch('http://127.0.0.1:1/')`,
    socket: `new Promise((opened, failed) => Object.assign(new WebSocket('ws://127.0.0.1:1/'), { onopen: opened, onerror: failed }))`,
    'window fetch': `window.fetch('https://www.youtube.com/')`,
    process: `process.kill(process.pid)`,
    'process of a function': `console.log.constructor('return process')().pid`,
    modules: `import('node:fs').then((fs) => fs.readFileSync('/etc/passwd', 'utf8'))`,
    databases: `import('node:sqlite').then((m) => new m.DatabaseSync('${join(tmpdir(), 'reelkeep-pot-escape.db')}'))`,
    require: `require('node:child_process').execSync('id')`,
    'data module': `import('data:text/javascript,export default 1')`,
    file: `new Function('return import("node:fs/promises")')().then((fs) => fs.readFile('/proc/self/environ'))`,
    'frame of the window': `window.process.exit()`,
  };

  test.each(Object.entries(attempts))('has no access by %s', async (_, expression) => {
    const botguard = await startBotguard('Mozilla/5.0', limits);
    try {
      const interpreter = `globalThis.probe = { a: (program, ready) => ready(async (done) => {
        try { await (${expression}); done('reached') } catch (error) { done('denied') } }) };`;
      expect(await botguard.send({ load: { interpreter, program: 'p', globalName: 'probe' } })).toBe('denied');
    } finally {
      await botguard.end();
    }
    expect(existsSync(join(tmpdir(), 'reelkeep-pot-escape.db'))).toBe(false);
  });

  test('can open neither files, sockets nor processes where it still has their modules', async () => {
    const { run } = await import('../process/run.ts');
    const script = `
      const attempts = {
        connect: () => new Promise((r, j) => require('net').connect(1, '127.0.0.1').on('error', j).on('connect', r)),
        listen: () => new Promise((r, j) => require('net').createServer().on('error', j).listen(0, r)),
        resolve: () => require('dns/promises').lookup('localhost'),
        read: () => require('fs').readFileSync('/etc/passwd'),
        write: () => require('fs').writeFileSync('/tmp/x', ''),
        spawn: () => require('child_process').execFileSync('/bin/true'),
        thread: () => new (require('worker_threads').Worker)('1', { eval: true }),
      };
      (async () => { for (const [name, run] of Object.entries(attempts))
        console.log(name, await Promise.resolve().then(run).then(() => 'reached', (e) => e.code)); })();`;
    const { stdout } = await run(process.execPath, ['--permission', '-e', script], { cwd: '/', signal: never });
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => !line.endsWith('ERR_ACCESS_DENIED')),
    ).toEqual([]);
    expect(stdout.trim().split('\n')).toHaveLength(7);
  });

  test('can open no more files, and has no secrets in its arguments and environment', async () => {
    const { readFileSync } = await import('node:fs');
    const source = ownSource();
    const { token } = await source.request(
      { binding: 'visitor-canary', context: { client: { visitorData: 'data-canary' } } },
      never,
    );
    const shown = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${source.pid()}/${name}`, 'utf8')).join();
    expect(readFileSync(`/proc/${source.pid()}/limits`, 'utf8')).toMatch(/Max open files +3 /);
    for (const secret of [token, 'canary', new URL(proxy.url).password]) expect(shown).not.toContain(secret);
  });
});

/** Starts a provider in the same process, as a user runs one in another container. */
async function startProvider(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: async () => void (server.closeAllConnections(), server.close()) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const replyWith = (replies: Record<string, unknown>): RequestListener => {
  return (request, response) => {
    const reply = replies[request.url ?? ''];
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  };
};

describe('a provider of the user', () => {
  test('gets the configured proxy, never that of this server', async () => {
    const bodies: Record<string, unknown>[] = [];
    const url = await startProvider(async (request, response) => {
      const text = (await request.toArray()).join('');
      if (text) bodies.push(JSON.parse(text) as Record<string, unknown>);
      response.end(JSON.stringify({ version, poToken: 'abcd' }));
    });
    const context = { client: { clientName: 'WEB' } };
    for (const proxyUrl of ['http://out:pw@proxy.example:3128', null]) {
      const source = createProviderSource({ url: `${url}/`, proxyUrl, version });
      const service = await openPotService({ source, version, onFailure: () => undefined });
      opened.push(service);
      const { reply } = clientOf(service.url);
      const body = {
        content_binding: 'b',
        challenge: null,
        proxy: proxy.url,
        innertube_context: context,
        source_address: '10.0.0.1',
      };
      expect(await reply('POST', '/get_pot', body)).toEqual({ poToken: 'abcd' });
    }
    expect(bodies.map((body) => body['proxy'])).toEqual(['http://out:pw@proxy.example:3128', null]);
    expect(bodies[0]).toMatchObject({ content_binding: 'b', innertube_context: context, source_address: null });
    expect(JSON.stringify(bodies)).not.toContain(new URL(proxy.url).password);
  });

  test('sends its password with each request, and tokens of the same text get older', async () => {
    const seen = new Set<string | undefined>();
    let now = 1000;
    const url = await startProvider((request, response) => {
      seen.add(request.headers.authorization);
      response.end(JSON.stringify({ version, poToken: 'abcde_-' }));
    });
    const source = createProviderSource({ url: url.replace('//', '//me:p%40ss@'), proxyUrl: null, version, now: () => now });
    expect(await source.request({ binding: 'b' }, never)).toEqual({ token: 'abcde_-=', createdAt: 1000 });
    now = 61_000;
    expect((await source.request({ binding: 'b' }, never)).createdAt).toBe(1000);
    expect([...seen]).toEqual([`Basic ${btoa('me:p@ss')}`]);
  });

  const pong = { '/ping': { version } };
  test.each([
    ['garbage', { ...pong, '/get_pot': '<!doctype html>' }, /response .* is invalid/],
    ['garbage instead of a version', { '/ping': '[]' }, /response .* is invalid/],
    ['another version', { '/ping': { version: '1.3.1' } }, /has version 1\.3\.1\. Install version 2\.0\.2/],
    ['a token of 1 MB', { ...pong, '/get_pot': { poToken: 'a'.repeat(1_000_000) } }, /response .* is invalid/],
    ['a token of 20,000 characters', { ...pong, '/get_pot': { poToken: 'a'.repeat(20_000) } }, /response .* is invalid/],
    ['1 MB besides the token', { ...pong, '/get_pot': { poToken: 'abcd', more: 'x'.repeat(1e6) } }, /response .* is invalid/],
    ['a token with other characters', { ...pong, '/get_pot': { poToken: 'a;b' } }, /response .* is invalid/],
    ['a token that is not complete', { ...pong, '/get_pot': { poToken: 'abcde' } }, /response .* is invalid/],
    ['no token', { ...pong, '/get_pot': {} }, /response .* is invalid/],
    ['an error with a secret', { ...pong, '/get_pot': { error: 'canary' } }, /^(?!.*canary).*could not create a token/],
  ])('is refused with the reason when it sends %s', async (_, replies, reason) => {
    const url = await startProvider(replyWith(replies));
    const source = createProviderSource({ url, proxyUrl: null, version });
    await expect(source.request({ binding: 'b' }, never)).rejects.toThrow(reason);
  });

  test('is refused with the reason when it is slow, does not run, or redirects', async () => {
    const slow = createProviderSource({ url: await startProvider(() => undefined), proxyUrl: null, version, timeMs: 50 });
    await expect(slow.request({ binding: 'b' }, never)).rejects.toThrow(/did not respond within/);
    const closed = createProviderSource({ url: 'http://127.0.0.1:9', proxyUrl: null, version });
    await expect(closed.request({ binding: 'b' }, never)).rejects.toThrow(/Could not reach/);
    const url = await startProvider((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());
    await expect(createProviderSource({ url, proxyUrl: null, version }).request({ binding: 'b' }, never)).rejects.toThrow(
      /Could not reach/,
    );
  });
});

/** Sends requests like the plugin. */
function clientOf(serviceUrl: string) {
  const { origin, username, password } = new URL(serviceUrl);
  const send = (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { send, reply: async (...args: Parameters<typeof send>) => (await send(...args)).json() as Promise<object> };
}

describe('the service for yt-dlp', () => {
  const failures: string[] = [];
  async function startService(source: TokenSource, options: { timeMs?: number; now?: () => number } = {}) {
    failures.length = 0;
    const onFailure = (why: object) => void failures.push(JSON.stringify(why));
    const service = await openPotService({ source, version, onFailure, ...options });
    opened.push(service);
    return clientOf(service.url);
  }

  test('speaks the protocol of the plugin, only with its password', async () => {
    const { send, reply } = await startService(ownSource());
    expect(await reply('GET', '/ping')).toEqual({ version });
    expect((await send('GET', '/ping', undefined, { authorization: `Basic ${btoa('reelkeep:wrong')}` })).status).toBe(401);
    expect((await send('GET', '/elsewhere')).status).toBe(404);
    const { poToken } = (await reply('POST', '/get_pot', { content_binding: 'b' })) as { poToken: string };
    expect(bindingOf(poToken)).toBe('b');
    expect(failures).toEqual([]);
  });

  test('rejects invalid requests, and reports no part of them', async () => {
    const { reply } = await startService(ownSource());
    for (const body of [
      'canary',
      '[]',
      'null',
      '{"content_binding":""}',
      '{"content_binding":["canary"]}',
      'x'.repeat(3_000_000),
      JSON.stringify({ content_binding: 'canary', challenge: { more: 'x'.repeat(3_000_000) } }),
    ])
      expect(await reply('POST', '/get_pot', body)).toEqual({ error: expect.stringMatching(/^(?!.*canary).*invalid request/) });
    expect(failures.join()).not.toContain('canary');
  });

  test('returns the reason before the plugin stops waiting', async () => {
    const source: TokenSource = { request: () => new Promise(() => undefined), close: async () => undefined };
    const { reply } = await startService(source, { timeMs: 20 });
    expect(await reply('POST', '/get_pot', { content_binding: 'b' })).toEqual({ error: expect.stringMatching(/in time/) });
    expect(failures).toHaveLength(1);
  });

  test('does not let each client wait for a source that hangs', async () => {
    let [now, requests] = [1_800_000_000_000, 0];
    const source: TokenSource = {
      async request() {
        requests++;
        now += 10_000;
        throw new Error('slow');
      },
      close: async () => undefined,
    };
    const { reply } = await startService(source, { now: () => now });
    for (let client = 0; client < 3; client++)
      expect(await reply('POST', '/get_pot', { content_binding: 'b' })).toEqual({ error: 'slow' });
    expect(requests).toBe(1);
    now += 60_000;
    await reply('POST', '/get_pot', { content_binding: 'b' });
    expect(requests).toBe(2);
  });
});
