import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { headerText, type Message, oneLine } from './message.ts';
import { BadUrl } from './not-sent.ts';
import { basicAuth, type NotifyUrl, originOf, saysNo } from './parse-url.ts';
import { call, type Delivery, type Service } from './tell.ts';

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
// What belongs to the connection is not for people to set.
const ownHeaders = /^(host|content-length|transfer-encoding|connection|upgrade|expect|x-reelkeep-.*)$/i;

/** What Apprise's own webhooks send, so that what listens to those listens to us; below it what only we can tell. */
const eventOf = ({ title, body, kind, task, at, id }: Message): Record<string, unknown> => ({
  version: '1.0',
  title: oneLine(title),
  message: body,
  attachments: [],
  type: kind,
  id,
  task,
  happened_at: new Date(at * 1000).toISOString(),
});

// `:name=value` renames what is sent (or leaves it out, without a value), and adds what is not.
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
  if (!methods.includes(method)) throw new BadUrl(`The method is one of ${methods.join(', ')}.`);
  const own = [...url.headers.keys()].find((name) => ownHeaders.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (own) throw new BadUrl(`The header "${own}" cannot be set.`);
  const params = new URLSearchParams([...url.params]).toString();
  const address = `${originOf(url)}/${url.path.map(encodeURIComponent).join('/')}${params && `?${params}`}`;
  const said = Object.fromEntries([...url.headers].map(([name, value]) => [name.toLowerCase(), headerText(value)]));
  const secret = url.query.get('secret');
  return async (message, way) => {
    const body = write(changed(eventOf(message), url.fields));
    await call(way, {
      url: address,
      method: method as Dispatcher.HttpMethod,
      headers: { 'content-type': contentType, ...basicAuth(url), ...said, ...(secret && signed(secret, body)) },
      body,
      verify: !saysNo(url.query.get('verify')),
    });
  };
}

/**
 * Any web address, told in JSON: `jsons://user:password@host:port/path`; `?method=`, `?+Header=value`, `?-parameter=value`,
 * `?:field=name`.
 *
 * With `?secret=` the receiver can know that it was us, and when: the header `X-Reelkeep-Timestamp` has the epoch seconds
 * of sending, and `X-Reelkeep-Signature` is `sha256=` and the HMAC-SHA256, in hexadecimal, with the secret as key, over
 * the timestamp, a full stop and the body as it came. Refuse what is older than a few minutes. The secret itself is
 * never sent.
 */
export const json: Service = (url) => webhook(url, 'application/json', (event) => JSON.stringify(event));

/** The same as a form: `forms://host/path`, with the same parameters, `?secret=` included. */
export const form: Service = (url) =>
  webhook(url, 'application/x-www-form-urlencoded', (event) =>
    new URLSearchParams(
      Object.entries(event).flatMap(([key, value]): [string, string][] =>
        Array.isArray(value) || value === null ? [] : [[key, String(value)]],
      ),
    ).toString(),
  );
