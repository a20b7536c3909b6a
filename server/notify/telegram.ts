import { asText, shorten } from './message.ts';
import { BadUrl } from './not-sent.ts';
import { listOf, type NotifyUrl, saysYes } from './parse-url.ts';
import { callJson, type Service, tellEach } from './tell.ts';

// The token has a colon within, which people write as it is, encoded, or as a slash.
function tokenOf({ host, port, path }: NotifyUrl): { token: string; chats: string[] } {
  const [, number, secret] = /^(?:bot)?(\d{1,20})(?::([\w-]+))?$/i.exec(port === null ? host : `${host}:${port}`) ?? [];
  if (!number) throw new BadUrl('tgram:// needs the token of a bot: tgram://123456789:abcdef/chat');
  const rest = secret ? path : path.slice(1);
  const second = secret ?? path[0] ?? '';
  if (!/^[\w-]{1,100}$/.test(second)) throw new BadUrl('tgram:// needs the whole token of a bot.');
  return { token: `${number}:${second}`, chats: rest };
}

/**
 * Telegram: `tgram://bot-token/chat/another`, a chat being a number, `@channel` or `number:topic`; `?topic=`, `?silent=`,
 * `?preview=`. The text is sent as plain text: as Markdown or HTML a title could break it, or be more than it looks.
 */
export const telegram: Service = (url) => {
  if (url.query.has('template')) return null;
  const { token, chats } = tokenOf(url);
  const all = [...chats, ...listOf(url.query.get('to'))];
  if (all.length === 0) throw new BadUrl('tgram:// names no chat.');
  const read = all.map((said) => {
    const [, chat, topic] = /^(-?\d{1,32}|[@#]?[a-z_][\w-]{1,63})(?::(\d{1,20}))?$/i.exec(said) ?? [];
    if (!chat) throw new BadUrl(`"${said}" is no chat of Telegram.`);
    const thread = topic ?? url.query.get('topic') ?? url.query.get('thread');
    return { chat: /^-?\d/.test(chat) ? chat : `@${chat.replace(/^[@#]/, '')}`, thread: Number(thread) || null };
  });
  return (message, way) =>
    tellEach(read, async ({ chat, thread }) => {
      await callJson(way, {
        url: `https://api.telegram.org/bot${token}/sendMessage`,
        body: {
          chat_id: chat,
          text: shorten(asText(message), 4000),
          link_preview_options: { is_disabled: !saysYes(url.query.get('preview')) },
          disable_notification: saysYes(url.query.get('silent')),
          ...(thread && { message_thread_id: thread }),
        },
      });
    });
};
