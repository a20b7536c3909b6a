import { message } from '#contract/messages.ts';
import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { headerText, oneLine } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { basicAuth, type NotifyUrl, originOf, isNo } from './parse-url.ts';
import { sendRequest, type Delivery, type Service } from './http-request.ts';

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
// Connection headers cannot be set by users.
const ownHeaders = /^(host|content-length|transfer-encoding|connection|upgrade|expect|x-reelkeep-.*)$/i;

/** Same fields as Apprise's own webhooks, for compatible receivers, followed by additional fields. */
const eventOf = ({ title, body, kind, task, at, id, event, data }: Notification): Record<string, unknown> => ({
  version: '1.0',
  title: oneLine(title),
  message: body,
  attachments: [],
  type: kind,
  id,
  task,
  happened_at: new Date(at * 1000).toISOString(),
  ...(event && { event, data }),
});

// `:name=value` renames a field, removes it without a value, or adds a new field.
function changed(event: Record<string, unknown>, fields: Map<string, string>): Record<string, unknown> {
  const entries = Object.entries(event).flatMap(([key, value]): [string, unknown][] => {
    const name = fields.get(key);
    return name === '' ? [] : [[name ?? key, value]];
  });
  return Object.fromEntries([...entries, ...[...fields].filter(([key]) => !Object.hasOwn(event, key))]);
}

function signed(secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'X-Reelkeep-Timestamp': timestamp, 'X-Reelkeep-Signature': `sha256=${signature}` };
}

function webhook(url: NotifyUrl, contentType: string, write: (event: Record<string, unknown>) => string): Delivery {
  const method = (url.query.get('method') || 'POST').toUpperCase();
  if (!methods.includes(method)) throw new InvalidUrlError(message('notify.method', { methods: methods.join(', ') }));
  const own = [...url.headers.keys()].find((name) => ownHeaders.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (own) throw new InvalidUrlError(message('notify.header', { name: own }));
  const params = new URLSearchParams([...url.params]).toString();
  const address = `${originOf(url)}/${url.path.map(encodeURIComponent).join('/')}${params && `?${params}`}`;
  const customHeaders = Object.fromEntries([...url.headers].map(([name, value]) => [name.toLowerCase(), headerText(value)]));
  const secret = url.query.get('secret');
  return async (notification, way) => {
    const body = write(changed(eventOf(notification), url.fields));
    await sendRequest(way, {
      url: address,
      method: method as Dispatcher.HttpMethod,
      headers: { 'content-type': contentType, ...basicAuth(url), ...customHeaders, ...(secret && signed(secret, body)) },
      body,
      verify: !isNo(url.query.get('verify')),
    });
  };
}

/**
 * Webhook with JSON: `jsons://user:password@host:port/path`; `?method=`, `?+Header=value`, `?-parameter=value`, `?:field=name`.
 *
 * With `?secret=`, requests are signed: the header `X-Reelkeep-Timestamp` is the time of sending in epoch seconds, and
 * `X-Reelkeep-Signature` is `sha256=` and the hexadecimal HMAC-SHA256, with the secret as key, of the timestamp, a full stop and
 * the raw body. Receivers should reject old timestamps (a few minutes). The secret is never sent.
 */
export const json: Service = (url) => webhook(url, 'application/json', (event) => JSON.stringify(event));

/** Webhook with a form body: `forms://host/path`, with the same parameters, including `?secret=`. */
export const form: Service = (url) =>
  webhook(url, 'application/x-www-form-urlencoded', (event) =>
    new URLSearchParams(
      Object.entries(event).flatMap(([key, value]): [string, string][] =>
        typeof value === 'object' ? [] : [[key, String(value)]],
      ),
    ).toString(),
  );
