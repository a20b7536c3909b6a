import { message, plainText, type Message } from '#contract/messages.ts';
import { z } from 'zod';
import { MembershipProfile } from '#contract/membership.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { readOverridesOf, readSettings } from '../../archive/settings/store.ts';
import { scanLimitsOf } from '../../archive/channel/scan-limits.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { withTransport } from '../../platform/egress/direct/transport.ts';
import { readSecret } from '../../archive/settings/secret.ts';

// Client of TubeArchivist's membership service, which watches channels and calls back when a new video is published.

/** Creates an error with the message in both fields that API clients read. */
const refusedByService = (why: Message) => new HttpError(400, why, { more: { message: renderMessages(why) } });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const Complaint = z.object({ detail: z.string() });

async function ask(app: AppContext, path: string, body?: unknown): Promise<unknown> {
  const { config, log } = app;
  const secret = await readSecret(app, 'membership');
  if (!secret) throw refusedByService(message('membership.no-token'));
  // The URL comes from the operator, so the local network and this machine are allowed. Redirects are not followed, because the
  // token is for this service only.
  const allowed = { ...config, allowPrivate: [...config.allowPrivate, new URL(config.membershipUrl).hostname] };
  const { status, text } = await withTransport(allowed, (transport) =>
    transport.ask({
      url: config.membershipUrl + path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Token ${secret.text}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  ).catch((error: unknown) => {
    log.warn({ err: error }, 'cannot reach the membership service');
    throw refusedByService(message('membership.unreachable', { why: messagesOf(error) }));
  });
  const response = parsed(text);
  if (status >= 200 && status < 300) return response;
  const complaint = Complaint.safeParse(response).data;
  throw refusedByService(complaint ? plainText(complaint.detail) : message('membership.failed', { status }));
}

/** Returns the owner of the token and their permissions. */
export async function membershipProfile(app: AppContext) {
  const read = MembershipProfile.safeParse(await ask(app, '/api/profile/me/'));
  if (!read.success) throw refusedByService(message('membership.invalid'));
  return read.data;
}

/** Sends the subscribed channels to the service, which removes all others. Video types that are switched off are not watched. */
export async function syncMembership(app: AppContext): Promise<void> {
  const { subscriptions } = await readSettings(app.db);
  const channels = await app.db
    .selectFrom('channel')
    .select('id')
    .where('isSubscribed', '=', 1)
    .where('site', '=', 'youtube')
    .orderBy('id')
    .execute();
  const wanted = [];
  for (const { id } of channels) {
    const { videos, streams, shorts } = scanLimitsOf(await readOverridesOf(app.db, id), subscriptions);
    wanted.push({ channel_id: id, notify_videos: videos !== 0, notify_streams: streams !== 0, notify_shorts: shorts !== 0 });
  }
  await ask(app, '/api/profile/subscription/?delete=true', wanted);
}
