/** What somebody gave as a URL cannot be meant; the message is a sentence for them. */
export class BadUrl extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'BadUrl';
  }
}

/** A notification did not arrive. The message says why in a sentence, and never what the other side answered in words. */
export class NotSent extends Error {
  /** Some of several recipients have it: to try again would tell those twice. */
  readonly isPartial: boolean;
  constructor(why: string, { isPartial = false }: { isPartial?: boolean } = {}) {
    super(why);
    this.name = 'NotSent';
    this.isPartial = isPartial;
  }
}

const meanings: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection off',
  EPIPE: 'broke the connection off',
  UND_ERR_SOCKET: 'broke the connection off',
  ENOTFOUND: 'was not found',
  EAI_AGAIN: 'could not be looked up',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'did not answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody vouches for; ?verify=no accepts it',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate that nobody vouches for; ?verify=no accepts it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate that nobody vouches for; ?verify=no accepts it',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  ECONNECTION: 'broke the connection off',
  EPROTOCOL: 'did not answer as a mail server does',
  EAUTH: 'did not accept the user name and password',
  EENVELOPE: 'did not accept the sender or a recipient',
  EMESSAGE: 'did not accept the message',
  ETLS: 'could not begin an encrypted connection',
};

// The mail library puts its own code over the one that says more.
const codesOf = (error: Error): string[] =>
  [(error as { originalCode?: unknown }).originalCode, (error as { code?: unknown }).code].filter(
    (code) => typeof code === 'string',
  );

/** An error of the network in a sentence about the host. */
export function asNotSent(error: unknown, host: string): NotSent | BadUrl {
  const chain: unknown[] = [error];
  for (const one of chain) {
    if (one instanceof NotSent || one instanceof BadUrl) return one;
    if (!(one instanceof Error) || chain.length > 20) continue;
    if (one.cause) chain.push(one.cause);
    if (one instanceof AggregateError) chain.push(...one.errors);
  }
  // What lies deepest knows best.
  for (const one of chain.toReversed()) {
    if (!(one instanceof Error)) continue;
    if (one.name === 'TimeoutError') return new NotSent(`${host} did not answer in time.`);
    for (const code of codesOf(one)) {
      if (Object.hasOwn(meanings, code)) return new NotSent(`${host} ${meanings[code]}.`);
      if (/^(ERR_SSL_|EPROTO$)/.test(code)) return new NotSent(`${host} ${meanings['ETLS']}.`);
    }
  }
  return new NotSent(`${host} could not be spoken to.`);
}
