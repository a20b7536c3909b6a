import { message } from '#contract/messages.ts';
import { oneLine, shorten } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { listOf } from './parse-url.ts';
import { sendRequest, type Service } from './http-request.ts';

const priorities: [RegExp, number][] = [
  [/^(-2|l)/i, -2],
  [/^(-1|m)/i, -1],
  [/^(1|h)/i, 1],
  [/^(2|e)/i, 2],
];

/** Pushover: `pover://user@token/device/another`; `?priority=`, `?sound=`, `?url=`, `?url_title=`, `?retry=`, `?expire=`. */
export const pushover: Service = ({ user, host, path, query, scheme }) => {
  if (!user || !/^\w{1,64}$/.test(user) || !/^\w{1,64}$/.test(host))
    throw new InvalidUrlError(message('notify.pushover-keys', { scheme }));
  const devices = [...path, ...listOf(query.get('to'))];
  const wrong = devices.find((device) => !/^[\w-]{1,25}$/.test(device));
  if (wrong) throw new InvalidUrlError(message('notify.pushover-device', { device: wrong }));
  const priority = priorities.find(([pattern]) => pattern.test(query.get('priority') ?? ''))?.[1] ?? 0;
  return async ({ title, body, at }, way) => {
    const form = new URLSearchParams({
      token: host,
      user,
      title: shorten(oneLine(title), 250),
      message: shorten(body, 1024),
      priority: String(priority),
      timestamp: String(at),
    });
    if (devices.length > 0) form.set('device', devices.join(','));
    for (const name of ['sound', 'url', 'url_title', 'ttl']) if (query.get(name)) form.set(name, query.get(name)!);
    // Pushover requires the retry interval and the expiry of emergency messages.
    if (priority === 2) form.set('retry', query.get('retry') || '900');
    if (priority === 2) form.set('expire', query.get('expire') || '3600');
    await sendRequest(way, {
      url: 'https://api.pushover.net/1/messages.json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
  };
};
