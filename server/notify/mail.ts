import wellKnown from 'nodemailer/lib/well-known';
import { oneLine } from './message.ts';
import { asNotSent, BadUrl } from './not-sent.ts';
import { listOf, type NotifyUrl, originOf, saysNo } from './parse-url.ts';
import type { Service } from './tell.ts';
import { timeMs } from './way.ts';

interface Address {
  name: string;
  address: string;
}

// `Name <who@example.org>` or the address alone.
function addressOf(said: string): Address {
  const [, name = '', address = ''] = /^(?:([^<>]*)<)?([^<>\s,;"]+@[^<>\s,;"@]+)>?$/.exec(oneLine(said)) ?? [];
  if (!address) throw new BadUrl(`"${said}" is no mail address.`);
  return { name: name.trim(), address };
}

function senderOf({ user, host, query, scheme }: NotifyUrl): Address {
  const [from, name] = [query.get('from'), oneLine(query.get('name') ?? '')];
  if (from?.includes('@')) return { ...addressOf(from), ...(name && { name }) };
  if (!user) throw new BadUrl(`${scheme}:// names no sender: ?from=archive@example.org`);
  return { ...addressOf(user.includes('@') ? user : `${user}@${host}`), name: from || name || 'Reelkeep' };
}

interface MailServer {
  host: string;
  port: number;
  /** Encrypted from the start, by a command that must succeed, or by one if the server knows it. */
  mode: 'ssl' | 'starttls' | 'insecure';
}

function serverOf({ scheme, host, port, query }: NotifyUrl): MailServer {
  const said = query.get('mode')?.toLowerCase();
  if (said && !['ssl', 'starttls', 'insecure'].includes(said)) throw new BadUrl('?mode= is ssl, starttls or insecure.');
  const known = query.get('smtp') || port !== null ? false : wellKnown(host);
  const isSecure = scheme === 'mailtos' || Boolean(known);
  const mode = (said ??
    (port === 465 || (known && known.secure) ? 'ssl' : isSecure ? 'starttls' : 'insecure')) as MailServer['mode'];
  const usual = { ssl: 465, starttls: 587, insecure: 25 }[mode];
  return {
    host: query.get('smtp') || (known && known.host) || host,
    port: port ?? (known && !said ? Number(known.port ?? usual) : usual),
    mode,
  };
}

/**
 * Mail: `mailtos://user:password@gmail.com`, `mailto://user:password@server:port/to@example.org?from=…`; `?smtp=server`,
 * `?to=`, `?cc=`, `?bcc=`, `?reply=`, `?name=`, `?mode=ssl|starttls|insecure`. Without a recipient it goes to the sender.
 * It goes straight to the mail server: a proxy for the web carries no mail.
 */
export const mail: Service = (url) => {
  const { query, user, password, path } = url;
  if (query.get('pgp') || query.get('wkd')) return null;
  const server = serverOf(url);
  originOf({ ...url, host: server.host });
  const from = senderOf(url);
  const [to, cc, bcc] = [[...path, ...listOf(query.get('to'))], listOf(query.get('cc')), listOf(query.get('bcc'))].map((list) =>
    list.map(addressOf),
  ) as [Address[], Address[], Address[]];
  const reply = query.get('reply') && addressOf(query.get('reply')!);

  return async (message, way) => {
    // Loaded when a mail is sent: it takes 24 MB, and most people never send one.
    const { createTransport } = await import('nodemailer');
    // The big houses want the whole address as the user's name.
    const name = user && !user.includes('@') && wellKnown(url.host) ? `${user}@${url.host}` : user;
    const socket = await way.connect(server.host, server.port);
    const timer = setTimeout(() => socket.destroy(), timeMs);
    const transport = createTransport({
      host: server.host,
      port: server.port,
      secure: server.mode === 'ssl',
      requireTLS: server.mode === 'starttls',
      opportunisticTLS: server.mode === 'insecure',
      // Encryption that nobody asked for need not prove who it is: the alternative is none.
      tls: { rejectUnauthorized: server.mode !== 'insecure' && !saysNo(query.get('verify')) },
      ...(name && { auth: { user: name, pass: password ?? '' } }),
      getSocket: (_, hand) => hand(null, { connection: socket }),
      greetingTimeout: timeMs,
      socketTimeout: timeMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({
        from,
        to: to.length > 0 ? to : [from],
        cc,
        bcc,
        ...(reply && { replyTo: reply }),
        subject: oneLine(message.title),
        text: message.body,
        messageId: `<${message.id}@reelkeep>`,
        date: new Date(message.at * 1000),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw asNotSent(error, server.host);
    } finally {
      clearTimeout(timer);
      transport.close();
      socket.destroy();
    }
  };
};
