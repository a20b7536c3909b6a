import { useLingui } from '@lingui/react/macro';
import { IconPlayerStopFilled } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Notification } from '#contract/task.ts';
import { told, toldName } from '#web/api/told.ts';
import { Button } from '#web/ui/Button.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import { useNotices, useStop } from './queries.ts';
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

const titleOf = ({ name, title }: Notification) => toldName('task', name ?? '', title);
const linesOf = ({ messages, said }: Notification) => messages.map((line, place) => told(line, said?.[place]));

/** What goes on in the background: with words and a way to stop it, or as a small sign in the rail. */
export function TaskNotices({ isCompact = false }: { isCompact?: boolean }) {
  const { t } = useLingui();
  const notices = useNotices();
  const isStaff = useIsStaff();
  const stop = useStop();
  if (notices.length === 0) return null;
  if (isCompact) {
    const running = notices.find((notice) => notice.progress !== undefined) ?? notices[0]!;
    const words = (
      <>
        <span>{titleOf(running)}</span>
        <Bar progress={running.progress} label={titleOf(running)} />
      </>
    );
    return isStaff ? (
      <Link to="/downloads/" className={styles.compact} title={linesOf(running).join('\n')}>
        {words}
      </Link>
    ) : (
      <span className={styles.compact}>{words}</span>
    );
  }
  return (
    <ul className={styles.list} aria-label={t`Going on now`}>
      {notices.map((notice) => (
        <li key={notice.id} className={`${styles.notice} ${notice.level === 'error' ? styles.error : ''}`}>
          <div className={styles.words}>
            <strong>{titleOf(notice)}</strong>
            {linesOf(notice).map((line, place) => (
              <p key={place} className="number">
                <bdi>{line}</bdi>
              </p>
            ))}
          </div>
          {notice.api_stop && isStaff && (
            <Button
              size="s"
              icon={<IconPlayerStopFilled aria-hidden />}
              disabled={notice.command !== undefined}
              onClick={() => stop.mutate(notice.id)}
            >
              {notice.command ? t`Stopping …` : t`Stop`}
            </Button>
          )}
          {notice.progress !== undefined && <Bar progress={notice.progress} label={titleOf(notice)} />}
        </li>
      ))}
    </ul>
  );
}
