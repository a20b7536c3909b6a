import { oneLine, shorten } from './message.ts';
import { BadUrl, NotSent } from './not-sent.ts';
import { listOf } from './parse-url.ts';
import { callJson, readJson, type Service, tellEach } from './tell.ts';

// The three that Slack reads; without them a title could be a link, or call everybody.
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Slack: `slack://A/B/C` (an incoming webhook, or the address that Slack shows), `slack://name@A/B/C/#channel`, or with
 * the token of a bot `slack://xoxb-…/#channel`.
 */
export const slack: Service = ({ host, path, user, query, scheme }) => {
  if (query.has('template') || (query.get('mode') ?? 'hook') === 'workflow') return null;
  const isBot = /^xox[a-z]-/i.test(host);
  const [second, third, ...others] = path;
  const channels = [...(isBot ? path : others), ...listOf(query.get('to'))].map((name) =>
    name.startsWith('+') ? name.slice(1) : /^[#@]/.test(name) ? name : `#${name}`,
  );
  if (!isBot && ![host, second, third].every((part) => /^\w{1,64}$/.test(part ?? '')))
    throw new BadUrl(`${scheme}:// needs the three parts of a webhook: slack://A/B/C`);
  if (isBot && channels.length === 0) throw new BadUrl(`${scheme}:// names no channel for the bot.`);
  const url = isBot ? 'https://slack.com/api/chat.postMessage' : `https://hooks.slack.com/services/${host}/${second}/${third}`;

  return (message, way) => {
    const title = escape(shorten(oneLine(message.title), 200));
    const text = `*${title}*\n${escape(shorten(message.body, 2500))}`;
    const body = {
      text: title,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
      ...(user && { username: oneLine(user) }),
    };
    return tellEach(channels.length === 0 ? [null] : channels, async (channel) => {
      const answer = await callJson(way, {
        url,
        headers: isBot ? { authorization: `Bearer ${host}` } : {},
        body: { ...body, ...(channel && { channel }) },
      });
      // To a bot Slack says 200 also when nothing was posted.
      if (isBot && readJson(answer).ok !== true) throw new NotSent('Slack did not accept the token, the channel or the message.');
    });
  };
};
