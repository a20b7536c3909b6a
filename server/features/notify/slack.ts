import { message } from '#contract/messages.ts';
import { oneLine, shorten } from './notification.ts';
import { InvalidUrlError, DeliveryError } from './errors.ts';
import { listOf } from './parse-url.ts';
import { sendJson, readJson, type Service, sendToEach } from './http-request.ts';

// The three characters that Slack interprets. Unescaped, a title could be a link or mention everyone.
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Slack: `slack://A/B/C` (an incoming webhook, or the URL that Slack shows), `slack://name@A/B/C/#channel`, or with a bot token
 * `slack://xoxb-…/#channel`.
 */
export const slack: Service = ({ host, path, user, query, scheme }) => {
  if (query.has('template') || (query.get('mode') ?? 'hook') === 'workflow') return null;
  const isBot = /^xox[a-z]-/i.test(host);
  const [second, third, ...others] = path;
  const channels = [...(isBot ? path : others), ...listOf(query.get('to'))].map((name) =>
    name.startsWith('+') ? name.slice(1) : /^[#@]/.test(name) ? name : `#${name}`,
  );
  if (!isBot && ![host, second, third].every((part) => /^\w{1,64}$/.test(part ?? '')))
    throw new InvalidUrlError(message('notify.slack-parts', { scheme }));
  if (isBot && channels.length === 0) throw new InvalidUrlError(message('notify.slack-channel', { scheme }));
  const url = isBot ? 'https://slack.com/api/chat.postMessage' : `https://hooks.slack.com/services/${host}/${second}/${third}`;

  return (notification, way) => {
    const title = escape(shorten(oneLine(notification.title), 200));
    const text = `*${title}*\n${escape(shorten(notification.body, 2500))}`;
    const body = {
      text: title,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
      ...(user && { username: oneLine(user) }),
    };
    return sendToEach(channels.length === 0 ? [null] : channels, async (channel) => {
      const answer = await sendJson(way, {
        url,
        headers: isBot ? { authorization: `Bearer ${host}` } : {},
        body: { ...body, ...(channel && { channel }) },
      });
      // The bot API returns 200 even if nothing was posted.
      if (isBot && readJson(answer).ok !== true) throw new DeliveryError(message('notify.slack-rejected'));
    });
  };
};
