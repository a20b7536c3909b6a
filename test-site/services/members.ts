/** The membership service: the profile and the subscribed channels. */
import { type Answer, type SiteContext, json, notFound, type SiteRequest } from '../answer.ts';
import type { Member } from '../catalogue.ts';

export function members({ url, method, headers, body }: SiteRequest, { catalogue }: SiteContext): Answer {
  const token = /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1];
  const member = token ? catalogue.members[token] : undefined;
  if (!member) return json({ detail: 'Invalid token.' }, 403);
  if (url.pathname === '/api/profile/me/' && method === 'GET') {
    const count = member.subscriptions.length;
    return json({
      id: 1,
      user: { id: 7, username: member.username },
      sponsor_tier: { tier_id: 2, name: 'Patron', description: 'A kind one', max_subs: member.maxSubscriptions },
      subscription_count: count,
      subscription_is_max: count >= member.maxSubscriptions,
      is_connected: true,
    });
  }
  if (url.pathname === '/api/profile/subscription/' && method === 'POST') {
    const sent = JSON.parse(body) as Member['subscriptions'];
    if (sent.length > member.maxSubscriptions) return json({ detail: 'Too many subscriptions for your tier.' }, 400);
    if (url.searchParams.get('delete') !== 'true') sent.push(...member.subscriptions);
    member.subscriptions = sent;
    return json({ detail: 'ok' });
  }
  return notFound();
}
