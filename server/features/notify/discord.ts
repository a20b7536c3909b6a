import { message } from '#contract/messages.ts';
import { oneLine, shorten } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { isYes } from './parse-url.ts';
import { sendJson, type Service } from './http-request.ts';

const colours = { info: 0x3aa3e3, success: 0x3aa337, failure: 0xa32037 };

/**
 * Discord webhooks: `discord://id/token`, `discord://name@id/token`, or the URL that Discord shows; `?thread=`, `?avatar_url=`,
 * `?tts=`. Mentions are disabled, because titles come from outside.
 */
export const discord: Service = ({ host, path, user, query, scheme }) => {
  if (query.has('template')) return null;
  const [token] = path;
  if (!/^\d{1,32}$/.test(host) || !token || !/^[\w-]{1,200}$/.test(token))
    throw new InvalidUrlError(message('notify.discord-parts', { scheme }));
  const thread = query.get('thread');
  const name = query.get('botname') || user;
  return async ({ title, body, kind, at }, way) => {
    await sendJson(way, {
      url: `https://discord.com/api/webhooks/${host}/${token}${thread ? `?thread_id=${encodeURIComponent(thread)}` : ''}`,
      body: {
        ...(name && { username: shorten(oneLine(name), 80) }),
        ...(query.get('avatar_url') && { avatar_url: query.get('avatar_url') }),
        ...(isYes(query.get('tts')) && { tts: true }),
        allowed_mentions: { parse: [] },
        embeds: [
          {
            title: shorten(oneLine(title), 256),
            description: shorten(body, 2000),
            color: colours[kind],
            timestamp: new Date(at * 1000).toISOString(),
          },
        ],
      },
    });
  };
};
