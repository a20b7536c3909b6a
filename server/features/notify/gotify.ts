import { message } from '#contract/messages.ts';
import { headerText, oneLine } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { originOf, isNo } from './parse-url.ts';
import { sendJson, type Service } from './http-request.ts';

const priorities: [RegExp, number][] = [
  [/^(10|e)/i, 10],
  [/^[89h]/i, 8],
  [/^[34m]/i, 3],
  [/^[012l]/i, 0],
];

/** Gotify: `gotify://host:port/path/token`, `?priority=low|moderate|normal|high|emergency`. The token is sent in a header. */
export const gotify: Service = (url) => {
  const token = url.path.at(-1);
  if (!token) throw new InvalidUrlError(message('notify.no-token', { scheme: url.scheme }));
  const folder = url.path.slice(0, -1).map((part) => `${encodeURIComponent(part)}/`);
  const address = `${originOf(url)}/${folder.join('')}message`;
  const priority = priorities.find(([pattern]) => pattern.test(url.query.get('priority') ?? ''))?.[1] ?? 5;
  return async ({ title, body }, way) => {
    await sendJson(way, {
      url: address,
      headers: { 'X-Gotify-Key': headerText(token) },
      body: { title: oneLine(title), message: body, priority },
      verify: !isNo(url.query.get('verify')),
    });
  };
};
