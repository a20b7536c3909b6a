import type { Notification } from '#contract/task.ts';
import { messageText } from '#web/i18n/message-text.ts';

const endMessages = new Set(['run.completed', 'run.stopped', 'run.failed']);

/** Whether a task has ended; its notification stays for a few seconds. */
export const isEnded = ({ lines }: Notification) => endMessages.has(lines?.[0]?.id ?? '');

export const isPaused = ({ command }: Notification) => command === 'PAUSE';
export const isStopping = ({ command }: Notification) => command !== undefined && command !== 'PAUSE';

/** Whether this is the run that downloads the queue. */
export const isDownloadRun = (notice: Notification) => notice.group === 'download:run' && !isEnded(notice);

/** Lines of a notification in the language of the page. */
export const linesOf = ({ messages, lines }: Notification) =>
  messages.map((english, index) => messageText(lines && [lines[index]!], english));
