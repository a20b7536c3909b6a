import { message } from '#contract/messages.ts';
import { titleAndBody, shorten } from './notification.ts';
import { InvalidUrlError } from './errors.ts';
import { listOf, type NotifyUrl, isYes } from './parse-url.ts';
import { sendJson, type Service, sendToEach } from './http-request.ts';

// The token contains a colon, which users write literally, encoded, or as a slash.
function tokenOf({ host, port, path }: NotifyUrl): { token: string; chats: string[] } {
  const [, number, secret] = /^(?:bot)?(\d{1,20})(?::([\w-]+))?$/i.exec(port === null ? host : `${host}:${port}`) ?? [];
  if (!number) throw new InvalidUrlError(message('notify.telegram-bot'));
  const rest = secret ? path : path.slice(1);
  const second = secret ?? path[0] ?? '';
  if (!/^[\w-]{1,100}$/.test(second)) throw new InvalidUrlError(message('notify.telegram-token'));
  return { token: `${number}:${second}`, chats: rest };
}

/**
 * Telegram: `tgram://bot-token/chat/another`, a chat being a number, `@channel` or `number:topic`; `?topic=`, `?silent=`,
 * `?preview=`. Sent as plain text, because a title could break Markdown or HTML, or contain markup.
 */
export const telegram: Service = (url) => {
  if (url.query.has('template')) return null;
  const { token, chats } = tokenOf(url);
  const all = [...chats, ...listOf(url.query.get('to'))];
  if (all.length === 0) throw new InvalidUrlError(message('notify.telegram-no-chat'));
  const read = all.map((target) => {
    const [, chat, topic] = /^(-?\d{1,32}|[@#]?[a-z_][\w-]{1,63})(?::(\d{1,20}))?$/i.exec(target) ?? [];
    if (!chat) throw new InvalidUrlError(message('notify.telegram-chat', { chat: target }));
    const thread = topic ?? url.query.get('topic') ?? url.query.get('thread');
    return { chat: /^-?\d/.test(chat) ? chat : `@${chat.replace(/^[@#]/, '')}`, thread: Number(thread) || null };
  });
  return (notification, way) =>
    sendToEach(read, async ({ chat, thread }) => {
      await sendJson(way, {
        url: `https://api.telegram.org/bot${token}/sendMessage`,
        body: {
          chat_id: chat,
          text: shorten(titleAndBody(notification), 4000),
          link_preview_options: { is_disabled: !isYes(url.query.get('preview')) },
          disable_notification: isYes(url.query.get('silent')),
          ...(thread && { message_thread_id: thread }),
        },
      });
    });
};
