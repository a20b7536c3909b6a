import { createServer } from 'node:http';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Message } from './message.ts';
import { BadUrl } from './not-sent.ts';
import { checkUrl, deliveryOf, send } from './send.ts';
import { withWay } from './way.ts';

const message: Message = { id: 'x', title: 'Done\n--config=/etc', body: 'two lines\n$(id)', kind: 'failure', task: 'any', at: 1 };
const config = { allowPrivate: ['127.0.0.1'], proxyUrl: undefined, proxyInsecure: false };
const url = 'xml://user:s3cret-word@192.168.1.9/hook?a=b';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelkeep-apprise-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** Puts a program of that name on the PATH that writes down what it is given. */
async function standIn(end = 'exit 0') {
  const script = `#!/bin/sh
out='${folder}'
for arg in "$@"; do printf '%s\\n' "$arg" >> "$out/arguments"; done
cat > "$out/stdin"
env > "$out/environment"
pwd > "$out/folder"
for arg in "$@"; do case "$arg" in --config=*) f="\${arg#--config=}"; cat "$f" > "$out/config"; stat -c %a "$f" "$(dirname "$f")" > "$out/modes";; esac; done
${end}
`;
  await writeFile(join(folder, 'apprise'), script);
  await chmod(join(folder, 'apprise'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
}
const written = (name: string) => readFile(join(folder, name), 'utf8');

describe('the Apprise program', () => {
  test('gets the URL in a file of its own, the body on stdin, and no secret among its arguments or surroundings', async () => {
    await standIn();
    vi.stubEnv('REELKEEP_PASSWORD', 'hush');
    await send(config, url, message);
    const args = await written('arguments');
    expect(args.split('\n').slice(1)).toEqual([
      '--tag=all',
      '--title=Done --config=/etc',
      '--notification-type=failure',
      '--',
      '',
    ]);
    expect(args).not.toMatch(/s3cret|192\.168|xml/);
    expect(await written('stdin')).toBe(message.body);
    expect(await written('config')).toBe(`${url}\n`);
    expect(await written('modes')).toBe('600\n700\n');
    const environment = await written('environment');
    expect(environment).not.toMatch(/s3cret|hush/);
    expect(environment).toMatch(/^https_proxy=http:\/\/reelkeep:\w+@127\.0\.0\.1:\d+$/m);
    // Nothing of it stays.
    await expect(readdir((await written('folder')).trim())).rejects.toThrow('ENOENT');
  });

  test('that fails says why, without the secrets of the URL', async () => {
    await standIn('echo "could not reach user:s3cret-word at hook" >&2; exit 1');
    const failed = await send(config, url, message).catch((error: Error) => error.message);
    expect(failed).toMatch(/^Apprise could not deliver it: could not reach .*\*\*\*/);
    expect(failed).not.toMatch(/s3cret/);
  });

  test('that hangs is stopped', async () => {
    await standIn('sleep 60');
    await expect(send(config, url, message)).rejects.toThrow('Apprise took longer than 15 seconds and was stopped.');
  });

  test('that is not there is named', async () => {
    vi.stubEnv('PATH', folder);
    await expect(send(config, url, message)).rejects.toThrow(/^xml:\/\/ needs the program Apprise/);
    await expect(checkUrl(url)).rejects.toThrow(/pip install apprise/);
    await expect(checkUrl('ntfys://topic')).resolves.toBeUndefined();
  });

  test('is not started for this machine, nor to tell its secrets to a resolver', async () => {
    await standIn();
    for (const bad of [
      'xml://127.0.0.1/x',
      'xml://localhost:8000/x',
      'xml://[::1]/x',
      'mqtt://169.254.169.254/x',
      'xml://2130706433/',
    ])
      await expect(send({ ...config, allowPrivate: [] }, bad, message), bad).rejects.toThrow(/may not go there/);
    await expect(written('arguments')).rejects.toThrow('ENOENT');
  });

  test.each([
    'file:///etc/passwd',
    'syslog://local0',
    'dbus://',
    'dbus://x',
    'windows://x',
    'macosx://x',
    'gnome://x',
    'xml://host/x,file:///tmp/y',
    'xml://host/?to=syslog%253A%252F%252Flocal',
    'msteams://a/b/c/?template=/etc/passwd',
    'msteams://a/b/c/?template=%252Fetc%252Fpasswd',
    'fcm://p/k/t/?keyfile=../../data/key',
    'vapid://a@b.example/?keyfile=file:///etc/passwd',
    'vapid://a@b.example/?subfile=~/x',
  ])('is never given %s', (bad) => expect(() => deliveryOf(bad)).toThrow(BadUrl));
});

// The real one, where there is one: REELKEEP_TEST_APPRISE names it.
const real = process.env['REELKEEP_TEST_APPRISE'];
describe.runIf(real)('the real Apprise program', () => {
  const listen = async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => (bodies.push(`${request.method} ${request.url} ${body}`), response.end()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('PATH', `${dirname(real!)}${delimiter}${process.env['PATH']}`);
    return { bodies, port: (server.address() as { port: number }).port, close: () => server.close() };
  };

  test('delivers what we give it', async () => {
    const { bodies, port, close } = await listen();
    await send(config, `xml://127.0.0.1:${port}/hook?tags=x`, message);
    close();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatch(/^POST \/hook /);
    expect(bodies[0]).toContain('<Subject>Done --config=/etc</Subject>');
    expect(bodies[0]).toMatch(/<Message>two lines\s+\$\(id\)<\/Message>/);
  });

  test('goes through a gate that knows where it may not go', async () => {
    const { bodies, port, close } = await listen();
    const tell = (allowPrivate: string[]) =>
      withWay(
        { ...config, allowPrivate },
        (way) => deliveryOf(`xml://innocent.example:${port}/hook`)(message, way),
        async () => ['127.0.0.1'],
      );
    await expect(tell([])).rejects.toThrow('Apprise could not');
    expect(bodies).toEqual([]);
    await tell(['127.0.0.1']);
    close();
    expect(bodies).toHaveLength(1);
  });
});
