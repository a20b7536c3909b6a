import { message } from '#contract/messages.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';
import { InvalidUrlError } from './errors.ts';

/** A URL in Apprise's syntax, as decoded parts. Their meaning depends on the service. */
export interface NotifyUrl {
  /** The original text. */
  text: string;
  scheme: string;
  user: string | null;
  password: string | null;
  /** Often a token and not a host, so the case is preserved. IPv6 without brackets. */
  host: string;
  port: number | null;
  path: string[];
  /** Names are lowercase. */
  query: Map<string, string>;
  /** `+name=value`: additional headers. */
  headers: Map<string, string>;
  /** `-name=value`: query parameters of the request. */
  params: Map<string, string>;
  /** `:name=value`: changes of the payload. */
  fields: Map<string, string>;
}

const longest = 2000;

// Native webhook URLs of services, as users paste them.
const pasted: [RegExp, string][] = [
  [/^https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/(\d+\/[\w-]+)\/?(?=\?|$)/i, 'discord://$1/'],
  [/^https:\/\/hooks\.slack\.com\/services\/(\w+\/\w+\/\w+)\/?(?=\?|$)/i, 'slack://$1/'],
  [/^https:\/\/ntfy\.sh\/([\w-]+)\/?(?=\?|$)/i, 'ntfys://ntfy.sh/$1'],
];

function queryOf(text: string): Pick<NotifyUrl, 'query' | 'headers' | 'params' | 'fields'> {
  const parts = { query: new Map(), headers: new Map(), params: new Map(), fields: new Map() } as const;
  const marked: Record<string, Map<string, string>> = { '+': parts.headers, '-': parts.params, ':': parts.fields };
  for (const pair of text.split(/[&;]/).filter(Boolean)) {
    const [name = '', ...value] = pair.split('=');
    // A plus sign is not decoded to a space, because it is common in tokens and passwords.
    const [key, text] = [safeDecodeUri(name).trim(), safeDecodeUri(value.join('=')).trim()];
    const mark = Object.hasOwn(marked, key.charAt(0)) ? marked[key.charAt(0)] : undefined;
    if (mark && key.length > 1) mark.set(key.slice(1), text);
    else parts.query.set(key.toLowerCase(), text);
  }
  return parts;
}

function authorityOf(text: string): Pick<NotifyUrl, 'user' | 'password' | 'host' | 'port'> {
  const at = text.lastIndexOf('@');
  const [, user, password] = /^([^:]*)(?::([^]*))?$/.exec(text.slice(0, Math.max(at, 0))) ?? [];
  const place = text.slice(at + 1);
  const [, name = place, port] = /^(\[[\da-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(place) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw new InvalidUrlError(message('notify.url-port', { port }));
  return {
    user: user ? safeDecodeUri(user) : null,
    password: password ? safeDecodeUri(password) : null,
    host: safeDecodeUri(name.replace(/^\[([\da-f:.]+)\]$/i, '$1')),
    port: port === undefined ? null : Number(port),
  };
}

/** Parses a URL in Apprise's syntax. @throws InvalidUrlError */
export function parseUrl(given: string): NotifyUrl {
  const text = given.trim();
  if (text.length > longest) throw new InvalidUrlError(message('notify.url-long', { max: longest }));
  // oxlint-disable-next-line no-control-regex
  if (/[\s\u0000-\u001F\u007F-\u009F]/.test(text)) throw new InvalidUrlError(message('notify.url-spaces'));
  const [pattern, meaning] = pasted.find(([pattern]) => pattern.test(text)) ?? [];
  const meant = pattern ? text.replace(pattern, meaning!) : text;
  const [, scheme, rest = ''] = /^([a-z][a-z\d]*):\/\/(.+)$/i.exec(meant) ?? [];
  if (!scheme) throw new InvalidUrlError(message('notify.url-form'));
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const [authority = '', ...path] = before.split('/');
  const parts = { ...authorityOf(authority), ...queryOf(query) };
  return { text, scheme: scheme.toLowerCase(), path: path.filter(Boolean).map(safeDecodeUri), ...parts };
}

/** Returns whether the value of a boolean parameter is false. */
export const isNo = (text: string | undefined): boolean => /^(no|n|false|f|off|0|deny|disable)/i.test(text ?? '');
/** Returns whether the value of a boolean parameter is true. */
export const isYes = (text: string | undefined): boolean => /^(yes|y|true|t|on|1|allow|enable)/i.test(text ?? '');

/** Splits a list at commas and spaces. */
export const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);

/** Returns `https://host:port` of a URL with a host. Schemes that end with an s use TLS. */
export function originOf({ scheme, host, port }: NotifyUrl, isSecure = scheme.endsWith('s')): string {
  const origin = `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
  if (/[/\\?#@\s%]/.test(host) || !URL.canParse(origin) || !new URL(origin).hostname)
    throw new InvalidUrlError(message('notify.url-host', { scheme }));
  return origin;
}

/** Returns the Basic authentication header; empty without credentials. */
export const basicAuth = ({ user, password }: NotifyUrl): Record<string, string> =>
  user === null ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
