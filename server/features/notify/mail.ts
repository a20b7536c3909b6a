import { message } from '#contract/messages.ts';
import wellKnown from 'nodemailer/lib/well-known';
import { oneLine } from './notification.ts';
import { asConnectionError } from '../../platform/egress/direct/errors.ts';
import { InvalidUrlError } from './errors.ts';
import { listOf, type NotifyUrl, originOf, isNo } from './parse-url.ts';
import type { Service } from './http-request.ts';
import { timeMs } from '../../platform/egress/direct/transport.ts';

interface Address {
  name: string;
  address: string;
}

// `Name <who@example.org>` or the address alone.
function addressOf(text: string): Address {
  const [, name = '', address = ''] = /^(?:([^<>]*)<)?([^<>\s,;"]+@[^<>\s,;"@]+)>?$/.exec(oneLine(text)) ?? [];
  if (!address) throw new InvalidUrlError(message('notify.mail-address', { address: text }));
  return { name: name.trim(), address };
}

function senderOf({ user, host, query, scheme }: NotifyUrl): Address {
  const [from, name] = [query.get('from'), oneLine(query.get('name') ?? '')];
  if (from?.includes('@')) return { ...addressOf(from), ...(name && { name }) };
  if (!user) throw new InvalidUrlError(message('notify.mail-sender', { scheme }));
  return { ...addressOf(user.includes('@') ? user : `${user}@${host}`), name: from || name || 'Reelkeep' };
}

interface MailServer {
  host: string;
  port: number;
  /** TLS from the start, required STARTTLS, or STARTTLS if the server offers it. */
  mode: 'ssl' | 'starttls' | 'insecure';
}

function serverOf({ scheme, host, port, query }: NotifyUrl): MailServer {
  const requestedMode = query.get('mode')?.toLowerCase();
  if (requestedMode && !['ssl', 'starttls', 'insecure'].includes(requestedMode))
    throw new InvalidUrlError(message('notify.mail-mode'));
  const known = query.get('smtp') || port !== null ? false : wellKnown(host);
  const isSecure = scheme === 'mailtos' || Boolean(known);
  const mode = (requestedMode ??
    (port === 465 || (known && known.secure) ? 'ssl' : isSecure ? 'starttls' : 'insecure')) as MailServer['mode'];
  const usual = { ssl: 465, starttls: 587, insecure: 25 }[mode];
  return {
    host: query.get('smtp') || (known && known.host) || host,
    port: port ?? (known && !requestedMode ? Number(known.port ?? usual) : usual),
    mode,
  };
}

/**
 * Mail: `mailtos://user:password@gmail.com`, `mailto://user:password@server:port/to@example.org?from=…`; `?smtp=server`, `?to=`,
 * `?cc=`, `?bcc=`, `?reply=`, `?name=`, `?mode=ssl|starttls|insecure`. The default recipient is the sender. Connects directly to
 * the mail server, because an HTTP proxy does not forward SMTP.
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

  return async (notification, way) => {
    // Imported on demand: nodemailer takes 24 MB, and most installations send no mail.
    const { createTransport } = await import('nodemailer');
    // The large mail providers expect the full address as the user name.
    const name = user && !user.includes('@') && wellKnown(url.host) ? `${user}@${url.host}` : user;
    const socket = await way.connect(server.host, server.port);
    const timer = setTimeout(() => socket.destroy(), timeMs);
    const transport = createTransport({
      host: server.host,
      port: server.port,
      secure: server.mode === 'ssl',
      requireTLS: server.mode === 'starttls',
      opportunisticTLS: server.mode === 'insecure',
      // Opportunistic TLS accepts every certificate, because the alternative is no encryption.
      tls: { rejectUnauthorized: server.mode !== 'insecure' && !isNo(query.get('verify')) },
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
        subject: oneLine(notification.title),
        text: notification.body,
        messageId: `<${notification.id}@reelkeep>`,
        date: new Date(notification.at * 1000),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw asConnectionError(error, server.host);
    } finally {
      clearTimeout(timer);
      transport.close();
      socket.destroy();
    }
  };
};
