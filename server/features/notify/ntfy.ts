import { message } from '#contract/messages.ts';
import { headerText, shortenBytes } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { basicAuth, listOf, type NotifyUrl, originOf, isNo } from './parse-url.ts';
import { sendRequest, type Service, sendToEach } from './http-request.ts';

// ntfy converts longer messages to attachments.
const longestBytes = 4000;

const priorities: [RegExp, string][] = [
  [/^(5|max|e|u)/i, '5'],
  [/^(4|h)/i, '4'],
  [/^(2|l)/i, '2'],
  [/^(1|min)/i, '1'],
];

// URL parameters and the headers that they set.
const carried: Record<string, string> = {
  click: 'Click',
  attach: 'Attach',
  filename: 'Filename',
  delay: 'Delay',
  email: 'Email',
  avatar_url: 'Icon',
  actions: 'Actions',
};

function authOf(url: NotifyUrl): Record<string, string> {
  const { user, password, query } = url;
  const isToken = query.get('auth')?.toLowerCase() === 'token' || (!query.has('auth') && !password && /^tk_/i.test(user ?? ''));
  const token = query.get('token') || (isToken ? (password ?? user) : null);
  return token ? { authorization: `Bearer ${headerText(token)}` } : basicAuth(url);
}

/**
 * ntfy: `ntfys://topic` (on ntfy.sh), `ntfy://host:port/topic/another`, with `user:password@` or `token@`; `?priority=`,
 * `?tags=`, `?click=`, `?attach=`, `?delay=`, `?email=`, `?actions=`.
 */
export const ntfy: Service = (url) => {
  const { query, host } = url;
  const named = [...url.path, ...listOf(query.get('to'))];
  const mode = query.get('mode')?.toLowerCase();
  const isCloud = mode ? mode === 'cloud' : named.length === 0 || /^ntfy\.sh$/i.test(host);
  const topics = isCloud && !/^ntfy\.sh$/i.test(host) ? [host, ...named] : named;
  const origin = isCloud ? 'https://ntfy.sh' : originOf(url);
  if (topics.length === 0) throw new InvalidUrlError(message('notify.no-topic', { scheme: url.scheme }));
  const wrong = topics.find((topic) => !/^[\w-]{1,64}$/.test(topic));
  if (wrong) throw new InvalidUrlError(message('notify.topic', { topic: wrong }));

  const priority = priorities.find(([pattern]) => pattern.test(query.get('priority') ?? ''))?.[1];
  const tags = query.get('xtags') || query.get('tags');
  const optional = Object.entries(carried).flatMap(([key, header]) =>
    query.get(key) ? [[header, headerText(query.get(key)!)]] : [],
  );
  const headers: Record<string, string> = {
    ...(Object.fromEntries(optional) as Record<string, string>),
    ...(priority && { Priority: priority }),
    ...(tags && { Tags: headerText(tags) }),
    ...authOf(url),
  };
  return ({ title, body }, way) =>
    sendToEach(topics, async (topic) => {
      await sendRequest(way, {
        url: `${origin}/${topic}`,
        headers: { ...headers, Title: headerText(title), 'content-type': 'text/plain; charset=utf-8' },
        body: shortenBytes(body, longestBytes),
        verify: !isNo(query.get('verify')),
      });
    });
};
