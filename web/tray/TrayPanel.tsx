import { Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Run } from '#contract/runs.ts';
import type { DownloadProgress, Notification } from '#contract/task.ts';
import type { Video } from '#contract/video.ts';
import { useConfig } from '#web/api/account.ts';
import { addressOf } from '#web/api/call.ts';
import { pathOfVideo } from '#web/api/paths.ts';
import { useUpdateItem, type QueueItem } from '#web/api/queries/download.ts';
import { pathOfRun } from '#web/api/queries/run.ts';
import { adviceFor } from '#web/runs/failure-advice.ts';
import { agoText } from '#web/format/dates.ts';
import { exactText } from '#web/format/numbers.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { messageText } from '#web/i18n/message-text.ts';
import { RunStatusIcon } from '#web/runs/RunLine.tsx';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { progressText, shareOf } from '#web/tasks/download-progress.ts';
import { ProgressBar } from '#web/tasks/ProgressBar.tsx';
import { PauseButton, StopButton } from '#web/tasks/TaskButtons.tsx';
import { taskName } from '#web/tasks/task-names.ts';
import { linesOf } from '#web/tasks/task-notice.ts';
import { Button, buttonClass, IconButton } from '#web/ui/Button.tsx';
import { DownloadPicture } from './DownloadPicture.tsx';
import { runningName } from './running-name.ts';
import { nowSeconds, updateTrayState } from './tray-state.ts';
import type { TrayContent } from './use-tray.ts';
import styles from './TrayPanel.module.css';

/** The most failed downloads in the panel; a link leads to all. */
const maxFailures = 5;

function Download({ download }: { download: DownloadProgress }) {
  const unit = useConfig()?.file_size_unit;
  return (
    <li className={styles.row}>
      <DownloadPicture id={download.youtube_id} />
      <div className={styles.text}>
        <bdi className={styles.title}>{download.title}</bdi>
        <p className="number">{progressText(download, unit)}</p>
        <ProgressBar progress={shareOf(download)} label={download.title} />
      </div>
    </li>
  );
}

function RunningTask({ notice, isStaff }: { notice: Notification; isStaff: boolean }) {
  const { downloads = [] } = notice;
  const name = runningName(notice);
  return (
    <li className={styles.task}>
      <div className={styles.head}>
        <strong>{name}</strong>
        {isStaff && (
          <span className={styles.buttons}>
            <PauseButton notice={notice} />
            <StopButton notice={notice} />
          </span>
        )}
      </div>
      {downloads.length > 0 ? (
        <ul className={styles.list}>
          {downloads.map((download) => (
            <Download key={download.youtube_id} download={download} />
          ))}
        </ul>
      ) : (
        <>
          {linesOf(notice).map((line, index) => (
            <p key={index} className={`${styles.line} number`}>
              <bdi>{line}</bdi>
            </p>
          ))}
          {notice.progress !== undefined && <ProgressBar progress={notice.progress} label={name} />}
        </>
      )}
    </li>
  );
}

/** A failed download with its reason, the link to the remedy and a retry. */
function FailedDownload({ item }: { item: QueueItem }) {
  const { t } = useLingui();
  const retry = useUpdateItem();
  const advice = adviceFor(item.failure);
  return (
    <li className={styles.row}>
      <span className={styles.picture}>{item.vid_thumb_url && <img src={addressOf(item.vid_thumb_url)} alt="" />}</span>
      <div className={styles.text}>
        <bdi className={styles.title}>{item.title === item.youtube_id ? item.url : item.title}</bdi>
        <p>
          <TextWithLinks text={messageText(item.failure_messages, item.message ?? '')} />
        </p>
        <div className={styles.buttons}>
          {advice && (
            <Link to={advice.to} className={buttonClass('plain', 's')}>
              {t(advice.words)}
            </Link>
          )}
          <Button
            size="s"
            isBusy={retry.isPending}
            aria-label={t`Retry: ${item.title}`}
            onClick={() => retry.mutate({ id: item.youtube_id, status: 'priority' })}
          >
            {t`Retry`}
          </Button>
        </div>
      </div>
    </li>
  );
}

function EndedRun({ run }: { run: Run }) {
  return (
    <li className={styles.run}>
      <RunStatusIcon run={run} />
      <div className={styles.text}>
        <Link to={pathOfRun(run.id)} className={styles.title}>
          {taskName(run.name, run.title)}
        </Link>
        <p>
          {run.result ? (
            messageText(run.result_messages, run.result)
          ) : run.ended !== null ? (
            <RelativeTime at={run.ended}>{agoText(run.ended)}</RelativeTime>
          ) : null}
        </p>
      </div>
    </li>
  );
}

function Arrival({ video }: { video: Video }) {
  return (
    <li>
      <Link to={pathOfVideo(video)} className={styles.row}>
        <span className={styles.picture}>
          <img src={addressOf(video.vid_thumb_url)} alt="" />
        </span>
        <span className={styles.text}>
          <bdi className={styles.title}>{video.title}</bdi>
          <span className={styles.line}>
            <RelativeTime at={video.date_downloaded}>{agoText(video.date_downloaded)}</RelativeTime>
          </span>
        </span>
      </Link>
    </li>
  );
}

function Group({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.group}>
      <div className={styles.head}>
        <h3>{title}</h3>
        {action}
      </div>
      {children}
    </div>
  );
}

/** Running tasks, failures with their remedies, and what ended recently. */
export function TrayPanel({ content, onClose }: { content: TrayContent; onClose(): void }) {
  const { t } = useLingui();
  const { isStaff, running, arrivals, ended, failedRuns, failedItems, failedTotal } = content;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const hasFailures = failedTotal > 0 || failedRuns.length > 0;
  const hasFinished = arrivals.length > 0 || ended.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  const now = nowSeconds();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape of its controls
    <section className={styles.panel} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={styles.top}>
        <h2 ref={heading} id={id} tabIndex={-1}>
          <Trans>Tasks and downloads</Trans>
        </h2>
        <IconButton label={t`Close`} onClick={onClose}>
          <IconX aria-hidden />
        </IconButton>
      </div>
      <div className={styles.scroll} tabIndex={0} role="region" aria-labelledby={id}>
        {running.length > 0 && (
          <ul className={styles.tasks} aria-label={t`Running tasks`}>
            {running.map((notice) => (
              <RunningTask key={notice.id} notice={notice} isStaff={isStaff} />
            ))}
          </ul>
        )}
        {hasFailures && (
          <Group title={t`Failed`}>
            <ul className={styles.list}>
              {failedRuns.map((run) => (
                <EndedRun key={run.id} run={run} />
              ))}
              {failedItems.slice(0, maxFailures).map((item) => (
                <FailedDownload key={item.youtube_id} item={item} />
              ))}
            </ul>
            {failedTotal > 0 && (
              <Link to="/downloads/?error=true" className={styles.all}>
                {t`All failed downloads (${exactText(failedTotal)})`}
              </Link>
            )}
          </Group>
        )}
        {hasFinished && (
          <Group
            title={t`Finished`}
            action={
              <Button
                size="s"
                kind="quiet"
                onClick={() => {
                  updateTrayState({ clearedAt: now });
                  heading.current?.focus();
                }}
              >
                <Trans>Clear</Trans>
              </Button>
            }
          >
            <ul className={styles.list}>
              {arrivals.map((video) => (
                <Arrival key={video.youtube_id} video={video} />
              ))}
              {ended.map((run) => (
                <EndedRun key={run.id} run={run} />
              ))}
            </ul>
          </Group>
        )}
        {running.length === 0 && !hasFailures && !hasFinished && (
          <p className={styles.line}>
            <Trans>Nothing is running.</Trans>
          </p>
        )}
        {isStaff && (
          <p className={styles.links}>
            <Link to="/downloads/">
              <Trans>Queue</Trans>
            </Link>
            <Link to="/settings/scheduling/history/">
              <Trans>Task history</Trans>
            </Link>
          </p>
        )}
      </div>
    </section>
  );
}
