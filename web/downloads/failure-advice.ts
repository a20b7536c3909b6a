import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { QueueItem } from './queries.ts';

type Kind = NonNullable<QueueItem['failure']>;

// The sentence of a failure says what happened; these say what somebody can do about it, and where.
const advice: Partial<Record<Kind, { words: MessageDescriptor; to: string }>> = {
  blocked: { words: msg`Set a longer pause between downloads`, to: '/settings/application/#downloads' },
  'rate-limited': { words: msg`Set a longer pause between downloads`, to: '/settings/application/#downloads' },
  cookie: { words: msg`Store a fresh cookie`, to: '/settings/application/#cookie' },
  'members-only': { words: msg`Store the cookie of a member`, to: '/settings/application/#cookie' },
  age: { words: msg`Store the cookie of a grown-up`, to: '/settings/application/#cookie' },
  format: { words: msg`Change the format`, to: '/settings/application/#format' },
  'disk-full': { words: msg`See what takes up the space`, to: '/settings/' },
  ytdlp: { words: msg`Update yt-dlp`, to: '/settings/health/' },
};

/** What to do about a failure; undefined where waiting, or trying again, is all there is. */
export const adviceFor = (kind: QueueItem['failure']) => kind && advice[kind];
