import { oneLine, shorten } from './message.ts';
import { BadUrl } from './not-sent.ts';
import { saysYes } from './parse-url.ts';
import { callJson, type Service } from './tell.ts';

const colours = { info: 0x3aa3e3, success: 0x3aa337, failure: 0xa32037 };

/**
 * Discord's webhooks: `discord://id/token`, `discord://name@id/token`, or the address that Discord shows; `?thread=`,
 * `?avatar_url=`, `?tts=`. Nobody is ever pinged: titles come from outside.
 */
export const discord: Service = ({ host, path, user, query, scheme }) => {
  if (query.has('template')) return null;
  const [token] = path;
  if (!/^\d{1,32}$/.test(host) || !token || !/^[\w-]{1,200}$/.test(token))
    throw new BadUrl(`${scheme}:// needs the id and the token of a webhook.`);
  const thread = query.get('thread');
  const name = query.get('botname') || user;
  return async ({ title, body, kind, at }, way) => {
    await callJson(way, {
      url: `https://discord.com/api/webhooks/${host}/${token}${thread ? `?thread_id=${encodeURIComponent(thread)}` : ''}`,
      body: {
        ...(name && { username: shorten(oneLine(name), 80) }),
        ...(query.get('avatar_url') && { avatar_url: query.get('avatar_url') }),
        ...(saysYes(query.get('tts')) && { tts: true }),
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
