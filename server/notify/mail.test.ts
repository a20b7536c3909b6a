import { createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from './message.ts';
import { deliveryOf } from './send.ts';
import { withWay } from './way.ts';

const message: Message = {
  id: 'run-1',
  title: 'Fertig\r\nBcc: evil@example.org\r\n\r\n.',
  body: 'downloaded 2 video(s).\n.\nThe end.',
  kind: 'success',
  task: 'download_pending',
  at: 1_790_000_000,
};

interface Post {
  port: number;
  /** What the client said, line by line; the message apart. */
  lines: string[];
  mail: string;
}
let server: Server | undefined;
afterEach(() => void server?.close());

/** A mail server that takes everything, as far as the conversation goes. */
async function aPostOffice({
  startTls,
  refusesLogin = false,
}: { startTls?: { key: string; cert: string }; refusesLogin?: boolean } = {}) {
  const post: Post = { port: 0, lines: [], mail: '' };
  server = createServer((socket) => {
    const serve = (stream: typeof socket, isEncrypted: boolean) => {
      let inMail = false;
      let rest = '';
      const say = (line: string) => stream.write(`${line}\r\n`);
      const hear = (line: string) => {
        if (inMail) {
          if (line !== '.') return void (post.mail += `${line.replace(/^\.\./, '.')}\n`);
          inMail = false;
          return say('250 kept');
        }
        post.lines.push(line);
        const word = line.split(' ')[0]!.toUpperCase();
        if (word === 'EHLO') return say(startTls && !isEncrypted ? '250-here\r\n250 STARTTLS' : '250-here\r\n250 AUTH PLAIN');
        if (word === 'STARTTLS' && !startTls) return say('502 what is that');
        if (word === 'STARTTLS') {
          say('220 go');
          stream.removeAllListeners('data');
          return serve(new TLSSocket(stream, { isServer: true, ...startTls }), true);
        }
        if (word === 'AUTH') return say(refusesLogin ? '535 no, and the database password is hunter2' : '235 welcome');
        if (word === 'DATA') inMail = true;
        return say(word === 'DATA' ? '354 go on' : word === 'QUIT' ? '221 bye' : '250 ok');
      };
      stream
        .on('error', () => {})
        .on('data', (bytes: Buffer) => {
          const lines = (rest + bytes.toString('latin1')).split('\r\n');
          rest = lines.pop()!;
          for (const line of lines) hear(line);
        });
    };
    socket.write('220 here\r\n');
    serve(socket, false);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  post.port = (server.address() as { port: number }).port;
  return post;
}

const tell = (url: string) =>
  withWay({ allowPrivate: ['127.0.0.1'], proxyUrl: undefined, proxyInsecure: false }, (way) => deliveryOf(url)(message, way));

describe('a mail', () => {
  test('goes to everybody it names, and a title adds nobody', async () => {
    const post = await aPostOffice();
    await tell(
      `mailto://127.0.0.1:${post.port}/a@example.org/b@example.org?from=archive@example.org&name=The%20Archive&cc=c@example.org&bcc=d@example.org`,
    );
    expect(post.lines.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<archive@example.org>',
      'RCPT TO:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'RCPT TO:<c@example.org>',
      'RCPT TO:<d@example.org>',
    ]);
    const [head, body] = post.mail.split('\n\n', 2);
    expect(head).toMatch(/^From: The Archive <archive@example\.org>$/m);
    expect(head).toMatch(/^To: a@example\.org, b@example\.org$/m);
    expect(head).toMatch(/^Subject: Fertig Bcc: evil@example\.org \.$/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(head).toMatch(/^Message-ID: <run-1@reelkeep>$/m);
    expect(body).toBe('downloaded 2 video(s).\n.\nThe end.\n');
  });

  test('without recipients goes to the sender, after logging in over what was encrypted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const post = await aPostOffice({ startTls: { key, cert } });
    await tell(`mailtos://me%40example.org:p%40ss@127.0.0.1:${post.port}?verify=no`);
    expect(post.lines.filter((line) => !line.startsWith('EHLO'))).toEqual([
      'STARTTLS',
      `AUTH PLAIN ${Buffer.from('\0me@example.org\0p@ss').toString('base64')}`,
      'MAIL FROM:<me@example.org>',
      'RCPT TO:<me@example.org>',
      'DATA',
      ...(post.lines.includes('QUIT') ? ['QUIT'] : []),
    ]);
    await expect(tell(`mailtos://me%40example.org:p@127.0.0.1:${post.port}`)).rejects.toThrow(/certificate/);
    expect(post.lines.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
  });

  test('that asks for encryption is not sent without', async () => {
    const post = await aPostOffice();
    await expect(tell(`mailtos://me:secret@127.0.0.1:${post.port}?from=a@example.org`)).rejects.toThrow(/encrypted connection/);
    expect(post.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });

  test('that is refused says so, without the words of the server', async () => {
    const post = await aPostOffice({ refusesLogin: true });
    await expect(tell(`mailto://me:bad@127.0.0.1:${post.port}?from=a@example.org`)).rejects.toThrow(
      '127.0.0.1 did not accept the user name and password.',
    );
    server!.close();
    await expect(tell('mailto://me:bad@169.254.1.1?from=a@example.org')).rejects.toThrow(/may not go there/);
  });
});
