/** Titles of the events of notifications (contract/notify.ts). Plain data: the web app loads this file. */
export const eventMessages = {
  'event.video.archived': 'Video archived',
  'event.video.failed': 'Download failed',
  'event.video.gone': 'Video no longer available',
  'event.subscription.new': 'New videos of a subscription',
  'event.task.failed': 'Task failed',
} as const;
