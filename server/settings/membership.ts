import { z } from 'zod';
import { MembershipProfile } from '#contract/membership.ts';
import type { Archive } from '../archive.ts';
import { overwritesOf } from '../channel/overwrites.ts';
import { sizesOf } from '../channel/sizes.ts';
import { Problem } from '../http/problem.ts';
import { withWay } from '../notify/way.ts';
import { readSecret } from './secret.ts';
import { currentSettings } from './read.ts';

// The service that the original's web app knows: it watches channels, and calls back when something new is there. Facts of its
// interface: contract §4.

/** A sentence where both generations of clients look for it. */
const refusedByService = (sentence: string) => new Problem(400, sentence, { more: { message: sentence } });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const Complaint = z.object({ detail: z.string() });

async function ask(archive: Archive, path: string, body?: unknown): Promise<unknown> {
  const { config, log } = archive;
  const secret = await readSecret(archive, 'membership');
  if (!secret) throw refusedByService('There is no token for the membership service; store one first.');
  // It may stand in the local network or on this machine: whoever runs the archive says where. No redirect is followed: the
  // token is for this service alone.
  const allowed = { ...config, allowPrivate: [...config.allowPrivate, new URL(config.membershipUrl).hostname] };
  const { status, text } = await withWay(allowed, (way) =>
    way.ask({
      url: config.membershipUrl + path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Token ${secret.text}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  ).catch((error: unknown) => {
    log.warn({ err: error }, 'the membership service cannot be reached');
    throw refusedByService(`The membership service cannot be reached: ${(error as Error).message}`);
  });
  const said = parsed(text);
  if (status >= 200 && status < 300) return said;
  const complaint = Complaint.safeParse(said).data;
  throw refusedByService(complaint?.detail ?? `Connection to remote server failed: ${status}`);
}

/** Who the token belongs to, and what they may. */
export async function membershipProfile(archive: Archive) {
  const read = MembershipProfile.safeParse(await ask(archive, '/api/profile/me/'));
  if (!read.success) throw refusedByService('The membership service answered something that is not understood.');
  return read.data;
}

/** Tells the service the channels that are subscribed to; it forgets all others. A kind that is switched off is not watched. */
export async function syncMembership(archive: Archive): Promise<void> {
  const { subscriptions } = await currentSettings(archive);
  const channels = await archive.db
    .selectFrom('channel')
    .select('id')
    .where('isSubscribed', '=', 1)
    .where('site', '=', 'youtube')
    .orderBy('id')
    .execute();
  const wanted = [];
  for (const { id } of channels) {
    const { videos, streams, shorts } = sizesOf(await overwritesOf(archive.db, id), subscriptions);
    wanted.push({ channel_id: id, notify_videos: videos !== 0, notify_streams: streams !== 0, notify_shorts: shorts !== 0 });
  }
  await ask(archive, '/api/profile/subscription/?delete=true', wanted);
}
