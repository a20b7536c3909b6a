import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { QueueItem } from '#web/api/queries/download.ts';

type Kind = NonNullable<QueueItem['failure']>;

// The failure message says what happened; these links lead to the remedy.
const adviceByKind: Partial<Record<Kind, { words: MessageDescriptor; to: string }>> = {
  blocked: { words: msg`Set a longer delay between downloads`, to: '/settings/application/downloads/#downloads.sleep_interval' },
  'rate-limited': {
    words: msg`Set a longer delay between downloads`,
    to: '/settings/application/downloads/#downloads.sleep_interval',
  },
  cookie: { words: msg`Update cookies`, to: '/settings/application/cookie/' },
  'members-only': { words: msg`Add cookies`, to: '/settings/application/cookie/' },
  age: { words: msg`Add cookies`, to: '/settings/application/cookie/' },
  format: { words: msg`Change format`, to: '/settings/application/format/' },
  'disk-full': { words: msg`View storage usage`, to: '/settings/#dashboard' },
  challenge: { words: msg`Update yt-dlp`, to: '/settings/health/ytdlp/' },
  token: { words: msg`Choose how to get PO tokens`, to: '/settings/application/cookie/#downloads.po_tokens' },
  impersonation: { words: msg`Install curl_cffi`, to: '/settings/health/#programs' },
  ytdlp: { words: msg`Update yt-dlp`, to: '/settings/health/ytdlp/' },
};

/** Returns the remedy for a failure, or undefined if waiting or retrying is the only one. */
export const adviceFor = (kind: QueueItem['failure']) => kind && adviceByKind[kind];
