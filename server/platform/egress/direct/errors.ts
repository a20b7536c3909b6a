import { message, type Message } from '#contract/messages.ts';
import { MessageError } from '../../messages/message-error.ts';

/** A host was not reached, or must not be. The message never contains text of the remote server. */
export class ConnectionError extends MessageError {
  constructor(why: Message) {
    super(why);
    this.name = 'ConnectionError';
  }
}

const meanings = {
  ECONNREFUSED: 'connection.refused',
  ECONNRESET: 'connection.reset',
  EPIPE: 'connection.reset',
  UND_ERR_SOCKET: 'connection.reset',
  ENOTFOUND: 'connection.not-found',
  EAI_AGAIN: 'connection.lookup',
  EHOSTUNREACH: 'connection.unreachable',
  ENETUNREACH: 'connection.unreachable',
  ETIMEDOUT: 'connection.timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connection.timeout',
  UND_ERR_HEADERS_TIMEOUT: 'connection.timeout',
  UND_ERR_BODY_TIMEOUT: 'connection.timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'notify.certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'notify.certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'notify.certificate',
  CERT_HAS_EXPIRED: 'connection.certificate-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'connection.certificate-name',
  ECONNECTION: 'connection.reset',
  EPROTOCOL: 'notify.mail-protocol',
  EAUTH: 'notify.mail-login',
  EENVELOPE: 'notify.mail-recipient',
  EMESSAGE: 'notify.mail-message',
  ETLS: 'connection.tls',
} as const;
const hasMeaning = (code: string): code is keyof typeof meanings => Object.hasOwn(meanings, code);

// nodemailer sets its own code over the more specific code of the cause.
const codesOf = (error: Error): string[] =>
  [(error as { originalCode?: unknown }).originalCode, (error as { code?: unknown }).code].filter(
    (code) => typeof code === 'string',
  );

/** Converts a network error to a message about the host. An error that has a message stays. */
export function asConnectionError(error: unknown, host: string): MessageError {
  const chain: unknown[] = [error];
  for (const one of chain) {
    if (one instanceof MessageError) return one;
    if (!(one instanceof Error) || chain.length > 20) continue;
    if (one.cause) chain.push(one.cause);
    if (one instanceof AggregateError) chain.push(...one.errors);
  }
  // The innermost cause is the most specific.
  for (const one of chain.toReversed()) {
    if (!(one instanceof Error)) continue;
    if (one.name === 'TimeoutError') return new ConnectionError(message('connection.timeout', { host }));
    for (const code of codesOf(one)) {
      if (hasMeaning(code)) return new ConnectionError(message(meanings[code], { host }));
      if (/^(ERR_SSL_|EPROTO$)/.test(code)) return new ConnectionError(message('connection.tls', { host }));
    }
  }
  return new ConnectionError(message('connection.failed', { host }));
}
