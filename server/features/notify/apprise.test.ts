import { createServer } from 'node:http';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { InvalidUrlError } from './errors.ts';
import { checkUrl, deliveryOf, send } from './send.ts';
import { withTransport } from '../../platform/egress/direct/transport.ts';

const message: Notification = {
  id: 'x',
  title: 'Done\n--config=/etc',
  body: 'two lines\n$(id)',
  kind: 'failure',
  task: 'any',
  at: 1,
};
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

/** Puts a fake `apprise` on the PATH, which records its arguments, stdin, environment and configuration file. */
async function installFakeApprise(lastCommand = 'exit 0') {
  const script = `#!/bin/sh
out='${folder}'
for arg in "$@"; do printf '%s\\n' "$arg" >> "$out/arguments"; done
cat > "$out/stdin"
env > "$out/environment"
pwd > "$out/folder"
for arg in "$@"; do case "$arg" in --config=*) f="\${arg#--config=}"; cat "$f" > "$out/config"; stat -c %a "$f" "$(dirname "$f")" > "$out/modes";; esac; done
${lastCommand}
`;
  await writeFile(join(folder, 'apprise'), script);
  await chmod(join(folder, 'apprise'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
}
const readOutput = (name: string) => readFile(join(folder, name), 'utf8');

describe('the Apprise program', () => {
  test('gets the URL in a file, the body on stdin, and no secrets in arguments or environment', async () => {
    await installFakeApprise();
    vi.stubEnv('REELKEEP_PASSWORD', 'hush');
    await send(config, url, message);
    const args = await readOutput('arguments');
    expect(args.split('\n').slice(1)).toEqual([
      '--tag=all',
      '--title=Done --config=/etc',
      '--notification-type=failure',
      '--',
      '',
    ]);
    expect(args).not.toMatch(/s3cret|192\.168|xml/);
    expect(await readOutput('stdin')).toBe(message.body);
    expect(await readOutput('config')).toBe(`${url}\n`);
    expect(await readOutput('modes')).toBe('600\n700\n');
    const environment = await readOutput('environment');
    expect(environment).not.toMatch(/s3cret|hush/);
    expect(environment).toMatch(/^https_proxy=http:\/\/reelkeep:\w+@127\.0\.0\.1:\d+$/m);
    // The temporary folder is deleted.
    await expect(readdir((await readOutput('folder')).trim())).rejects.toThrow('ENOENT');
  });

  test('failures are reported without secrets of the URL', async () => {
    await installFakeApprise('echo "could not reach user:s3cret-word at hook" >&2; exit 1');
    const errorMessage = await send(config, url, message).catch((error: Error) => error.message);
    expect(errorMessage).toMatch(/^Apprise could not deliver the message: could not reach .*\*\*\*/);
    expect(errorMessage).not.toMatch(/s3cret/);
  });

  test('is killed when it hangs', async () => {
    await installFakeApprise('sleep 60');
    await expect(send(config, url, message)).rejects.toThrow('Apprise took longer than 15 seconds and was stopped.');
  });

  test('a missing program is named', async () => {
    vi.stubEnv('PATH', folder);
    await expect(send(config, url, message)).rejects.toThrow(/^xml:\/\/ needs the program Apprise/);
    await expect(checkUrl(url)).rejects.toThrow(/pip install apprise/);
    await expect(checkUrl('ntfys://topic')).resolves.toBeUndefined();
  });

  test('is not started for this host, and reveals no secrets to a resolver', async () => {
    await installFakeApprise();
    for (const url of [
      'xml://127.0.0.1/x',
      'xml://localhost:8000/x',
      'xml://[::1]/x',
      'mqtt://169.254.169.254/x',
      'xml://2130706433/',
    ])
      await expect(send({ ...config, allowPrivate: [] }, url, message), url).rejects.toThrow(/Requests to it are blocked/);
    await expect(readOutput('arguments')).rejects.toThrow('ENOENT');
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
  ])('never gets %s', (url) => expect(() => deliveryOf(url)).toThrow(InvalidUrlError));
});

// REELKEEP_TEST_APPRISE is the path of the real program.
const realApprise = process.env['REELKEEP_TEST_APPRISE'];
describe.runIf(realApprise)('the real Apprise program', () => {
  const listen = async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => (bodies.push(`${request.method} ${request.url} ${body}`), response.end()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('PATH', `${dirname(realApprise!)}${delimiter}${process.env['PATH']}`);
    return { bodies, port: (server.address() as { port: number }).port, close: () => server.close() };
  };

  test('delivers a notification', async () => {
    const { bodies, port, close } = await listen();
    await send(config, `xml://127.0.0.1:${port}/hook?tags=x`, message);
    close();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toMatch(/^POST \/hook /);
    expect(bodies[0]).toContain('<Subject>Done --config=/etc</Subject>');
    expect(bodies[0]).toMatch(/<Message>two lines\s+\$\(id\)<\/Message>/);
  });

  test('uses the forward proxy', async () => {
    const { bodies, port, close } = await listen();
    const sendThroughProxy = (allowPrivate: string[]) =>
      withTransport(
        { ...config, allowPrivate },
        (transport) => deliveryOf(`xml://innocent.example:${port}/hook`)(message, transport),
        { lookup: async () => ['127.0.0.1'] },
      );
    await expect(sendThroughProxy([])).rejects.toThrow('Apprise could not');
    expect(bodies).toEqual([]);
    await sendThroughProxy(['127.0.0.1']);
    close();
    expect(bodies).toHaveLength(1);
  });
});
