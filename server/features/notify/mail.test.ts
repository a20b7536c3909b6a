import { createServer, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, test } from 'vitest';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { deliveryOf } from './send.ts';
import { withTransport } from '../../platform/egress/direct/transport.ts';

const message: Notification = {
  id: 'run-1',
  title: 'Fertig\r\nBcc: evil@example.org\r\n\r\n.',
  body: 'Downloaded 2 videos.\n.\nThe end.',
  kind: 'success',
  task: 'download_pending',
  at: 1_790_000_000,
};

interface MailServer {
  port: number;
  /** SMTP commands of the client; the message itself is in `mail`. */
  lines: string[];
  mail: string;
}
let server: Server | undefined;
afterEach(() => void server?.close());

/** Starts an SMTP server that accepts every message. */
async function startMailServer({
  startTls,
  refusesLogin = false,
}: { startTls?: { key: string; cert: string }; refusesLogin?: boolean } = {}) {
  const mailServer: MailServer = { port: 0, lines: [], mail: '' };
  server = createServer((socket) => {
    const handleConnection = (stream: typeof socket, isEncrypted: boolean) => {
      let isInMessage = false;
      let buffer = '';
      const sendLine = (line: string) => stream.write(`${line}\r\n`);
      const handleLine = (line: string) => {
        if (isInMessage) {
          if (line !== '.') return void (mailServer.mail += `${line.replace(/^\.\./, '.')}\n`);
          isInMessage = false;
          return sendLine('250 kept');
        }
        mailServer.lines.push(line);
        const command = line.split(' ')[0]!.toUpperCase();
        if (command === 'EHLO')
          return sendLine(startTls && !isEncrypted ? '250-here\r\n250 STARTTLS' : '250-here\r\n250 AUTH PLAIN');
        if (command === 'STARTTLS' && !startTls) return sendLine('502 what is that');
        if (command === 'STARTTLS') {
          sendLine('220 go');
          stream.removeAllListeners('data');
          return handleConnection(new TLSSocket(stream, { isServer: true, ...startTls }), true);
        }
        if (command === 'AUTH') return sendLine(refusesLogin ? '535 no, and the database password is hunter2' : '235 welcome');
        if (command === 'DATA') isInMessage = true;
        return sendLine(command === 'DATA' ? '354 go on' : command === 'QUIT' ? '221 bye' : '250 ok');
      };
      stream
        .on('error', () => {})
        .on('data', (bytes: Buffer) => {
          const lines = (buffer + bytes.toString('latin1')).split('\r\n');
          buffer = lines.pop()!;
          for (const line of lines) handleLine(line);
        });
    };
    socket.write('220 here\r\n');
    handleConnection(socket, false);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  mailServer.port = (server.address() as { port: number }).port;
  return mailServer;
}

const sendMail = (url: string) =>
  withTransport({ allowPrivate: ['127.0.0.1'], proxyUrl: undefined, proxyInsecure: false }, (transport) =>
    deliveryOf(url)(message, transport),
  );

describe('a mail', () => {
  test('is sent to all recipients, and a title adds none', async () => {
    const mailServer = await startMailServer();
    await sendMail(
      `mailto://127.0.0.1:${mailServer.port}/a@example.org/b@example.org?from=archive@example.org&name=The%20Archive&cc=c@example.org&bcc=d@example.org`,
    );
    expect(mailServer.lines.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<archive@example.org>',
      'RCPT TO:<a@example.org>',
      'RCPT TO:<b@example.org>',
      'RCPT TO:<c@example.org>',
      'RCPT TO:<d@example.org>',
    ]);
    const [head, body] = mailServer.mail.split('\n\n', 2);
    expect(head).toMatch(/^From: The Archive <archive@example\.org>$/m);
    expect(head).toMatch(/^To: a@example\.org, b@example\.org$/m);
    expect(head).toMatch(/^Subject: Fertig Bcc: evil@example\.org \.$/m);
    expect(head).not.toMatch(/^Bcc:/m);
    expect(head).toMatch(/^Message-ID: <run-1@reelkeep>$/m);
    expect(body).toBe('Downloaded 2 videos.\n.\nThe end.\n');
  });

  test('without recipients is sent to the sender, after an encrypted login', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const mailServer = await startMailServer({ startTls: { key, cert } });
    await sendMail(`mailtos://me%40example.org:p%40ss@127.0.0.1:${mailServer.port}?verify=no`);
    expect(mailServer.lines.filter((line) => !line.startsWith('EHLO'))).toEqual([
      'STARTTLS',
      `AUTH PLAIN ${Buffer.from('\0me@example.org\0p@ss').toString('base64')}`,
      'MAIL FROM:<me@example.org>',
      'RCPT TO:<me@example.org>',
      'DATA',
      ...(mailServer.lines.includes('QUIT') ? ['QUIT'] : []),
    ]);
    await expect(sendMail(`mailtos://me%40example.org:p@127.0.0.1:${mailServer.port}`)).rejects.toThrow(/certificate/);
    expect(mailServer.lines.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
  });

  test('is not sent without required encryption', async () => {
    const mailServer = await startMailServer();
    await expect(sendMail(`mailtos://me:secret@127.0.0.1:${mailServer.port}?from=a@example.org`)).rejects.toThrow(
      /encrypted connection/,
    );
    expect(mailServer.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });

  test('a rejection is reported without the text of the server', async () => {
    const mailServer = await startMailServer({ refusesLogin: true });
    await expect(sendMail(`mailto://me:bad@127.0.0.1:${mailServer.port}?from=a@example.org`)).rejects.toThrow(
      '127.0.0.1 rejected the user name or the password.',
    );
    server!.close();
    await expect(sendMail('mailto://me:bad@169.254.1.1?from=a@example.org')).rejects.toThrow(/Requests to it are blocked/);
  });
});
