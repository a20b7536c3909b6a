import { useLingui } from '@lingui/react/macro';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Notification } from '#contract/task.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Button } from '#web/ui/Button.tsx';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { useNotices, usePauseTask, useStopTask } from '../api/queries/download.ts';
import { taskName } from './task-names.ts';
import { progressText } from './download-progress.ts';
import styles from './TaskNotices.module.css';

function Bar({ progress, label }: { progress: number | undefined; label: string }) {
  return (
    <div
      className={`${styles.bar} ${progress === undefined ? styles.unknown : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress === undefined ? undefined : Math.round(progress * 100)}
    >
      <span style={{ width: progress === undefined ? undefined : `${progress * 100}%` }} />
    </div>
  );
}

const isStopping = ({ command }: Notification) => command !== undefined && command !== 'PAUSE';
const titleOf = ({ name, title }: Notification) => taskName(name ?? '', title);
/** Lines of a notification in the language of the page. */
const linesOf = ({ messages, lines, downloads }: Notification, unit: Parameters<typeof progressText>[1]) =>
  downloads?.length
    ? downloads.flatMap((download) => [download.title, progressText(download, unit)])
    : messages.map((english, index) => messageText(lines && [lines[index]!], english));

/** Running background tasks with their controls, or a compact indicator in the sidebar. */
export function TaskNotices({ isCompact = false }: { isCompact?: boolean }) {
  const { t } = useLingui();
  const notices = useNotices();
  const unit = useConfig()?.file_size_unit;
  const isStaff = useIsStaff();
  const stop = useStopTask();
  const pause = usePauseTask();
  if (notices.length === 0) return null;
  if (isCompact) {
    const running = notices.find((notice) => notice.progress !== undefined) ?? notices[0]!;
    const content = (
      <>
        <span>{titleOf(running)}</span>
        <Bar progress={running.progress} label={titleOf(running)} />
      </>
    );
    return isStaff ? (
      <Link to="/downloads/" className={styles.compact} title={linesOf(running, unit).join('\n')}>
        {content}
      </Link>
    ) : (
      <span className={styles.compact}>{content}</span>
    );
  }
  return (
    <ul className={styles.list} aria-label={t`Running tasks`}>
      {notices.map((notice) => (
        <li key={notice.id} className={`${styles.notice} ${notice.level === 'error' ? styles.error : ''}`}>
          <div className={styles.text}>
            <strong>{titleOf(notice)}</strong>
            {linesOf(notice, unit).map((line, index) => (
              <p key={index} className="number">
                <bdi>{line}</bdi>
              </p>
            ))}
          </div>
          {notice.api_pause && isStaff && !isStopping(notice) && (
            <Button
              size="s"
              icon={notice.command === 'PAUSE' ? <IconPlayerPlayFilled aria-hidden /> : <IconPlayerPauseFilled aria-hidden />}
              onClick={() => pause.mutate({ id: notice.id, isPaused: notice.command !== 'PAUSE' })}
            >
              {notice.command === 'PAUSE' ? t`Resume` : t`Pause`}
            </Button>
          )}
          {notice.api_stop && isStaff && (
            <Button
              size="s"
              icon={<IconPlayerStopFilled aria-hidden />}
              disabled={isStopping(notice)}
              onClick={() => stop.mutate(notice.id)}
            >
              {isStopping(notice) ? t`Stopping…` : t`Stop`}
            </Button>
          )}
          {notice.progress !== undefined && <Bar progress={notice.progress} label={titleOf(notice)} />}
        </li>
      ))}
    </ul>
  );
}
