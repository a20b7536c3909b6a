import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';

/** What may run by itself, in the order in which people think of it. */
export const scheduled: { name: string; title: MessageDescriptor; help?: MessageDescriptor }[] = [
  { name: 'update_subscribed', title: msg`Rescan subscriptions` },
  { name: 'download_pending', title: msg`Start download` },
  {
    name: 'check_reindex',
    title: msg`Refresh metadata`,
    help: msg`Looks again at what is older than so many days; 90 is a good number.`,
  },
  { name: 'thumbnail_check', title: msg`Thumbnail check` },
  { name: 'run_backup', title: msg`ZIP backup`, help: msg`Keeps so many of those that it wrote by itself; 0 keeps all.` },
  { name: 'verify', title: msg`Verify files` },
  { name: 'autodelete', title: msg`Follow the rules of deletion` },
  { name: 'update_ytdlp', title: msg`Update yt-dlp` },
];

/** What may be set beside the time. */
export const configNames: Record<string, MessageDescriptor> = {
  days: msg`Days`,
  rotate: msg`Backups to keep`,
};
