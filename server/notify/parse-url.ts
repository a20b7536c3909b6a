import { decoded } from '../decoded.ts';
import { BadUrl } from './not-sent.ts';

/** A URL as Apprise writes them: the parts, decoded. What they mean is for each service to say. */
export interface NotifyUrl {
  /** As it was given. */
  text: string;
  scheme: string;
  user: string | null;
  password: string | null;
  /** Often no host but a token, so upper and lower case are kept. IPv6 without brackets. */
  host: string;
  port: number | null;
  path: string[];
  /** By name in lower case. */
  query: Map<string, string>;
  /** `+name=value`: headers to add. */
  headers: Map<string, string>;
  /** `-name=value`: parameters of the address that is called. */
  params: Map<string, string>;
  /** `:name=value`: changes of what is sent. */
  fields: Map<string, string>;
}

const longest = 2000;

// Addresses that services hand out themselves, and people paste.
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
    // A plus stays a plus: it is common in tokens and passwords.
    const [key, said] = [decoded(name).trim(), decoded(value.join('=')).trim()];
    const mark = Object.hasOwn(marked, key.charAt(0)) ? marked[key.charAt(0)] : undefined;
    if (mark && key.length > 1) mark.set(key.slice(1), said);
    else parts.query.set(key.toLowerCase(), said);
  }
  return parts;
}

function authorityOf(text: string): Pick<NotifyUrl, 'user' | 'password' | 'host' | 'port'> {
  const at = text.lastIndexOf('@');
  const [, user, password] = /^([^:]*)(?::([^]*))?$/.exec(text.slice(0, Math.max(at, 0))) ?? [];
  const place = text.slice(at + 1);
  const [, name = place, port] = /^(\[[\da-f:.]+\]|[^:]+):(\d{1,5})$/i.exec(place) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw new BadUrl(`${port} is no port.`);
  return {
    user: user ? decoded(user) : null,
    password: password ? decoded(password) : null,
    host: decoded(name.replace(/^\[([\da-f:.]+)\]$/i, '$1')),
    port: port === undefined ? null : Number(port),
  };
}

/** Reads a URL in Apprise's syntax. Throws BadUrl when it has not the form of one. */
export function parseUrl(given: string): NotifyUrl {
  const text = given.trim();
  if (text.length > longest) throw new BadUrl(`A notification URL has at most ${longest} characters.`);
  // oxlint-disable-next-line no-control-regex
  if (/[\s\u0000-\u001F\u007F-\u009F]/.test(text))
    throw new BadUrl('A notification URL has no spaces or line breaks; a space is written %20.');
  const [pattern, meaning] = pasted.find(([pattern]) => pattern.test(text)) ?? [];
  const meant = pattern ? text.replace(pattern, meaning!) : text;
  const [, scheme, rest = ''] = /^([a-z][a-z\d]*):\/\/(.+)$/i.exec(meant) ?? [];
  if (!scheme) throw new BadUrl('A notification URL looks like ntfys://ntfy.sh/topic.');
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const [authority = '', ...path] = before.split('/');
  const parts = { ...authorityOf(authority), ...queryOf(query) };
  return { text, scheme: scheme.toLowerCase(), path: path.filter(Boolean).map(decoded), ...parts };
}

/** Whether a yes-or-no parameter says no. */
export const saysNo = (said: string | undefined): boolean => /^(no|n|false|f|off|0|deny|disable)/i.test(said ?? '');
/** Whether a yes-or-no parameter says yes. */
export const saysYes = (said: string | undefined): boolean => /^(yes|y|true|t|on|1|allow|enable)/i.test(said ?? '');

/** The parts of a list that was written with commas or spaces. */
export const listOf = (said: string | undefined): string[] => (said ?? '').split(/[\s,]+/).filter(Boolean);

/** `https://host:port` of a URL whose host is one. Schemes with an s at the end are encrypted. */
export function originOf({ scheme, host, port }: NotifyUrl, isSecure = scheme.endsWith('s')): string {
  const origin = `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`;
  if (/[/\\?#@\s%]/.test(host) || !URL.canParse(origin) || !new URL(origin).hostname)
    throw new BadUrl(`${scheme}:// names no host that there could be.`);
  return origin;
}

/** User name and password as a header; nothing when there are none. */
export const basicAuth = ({ user, password }: NotifyUrl): Record<string, string> =>
  user === null ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
