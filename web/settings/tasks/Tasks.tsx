import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconHistory, IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { TaskOverview } from '#contract/schedule.ts';
import { tasksQuery, useNotices, useStartTask } from '#web/api/queries/download.ts';
import { pathOfHistory, pathOfRun } from '#web/api/queries/run.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { messageText } from '#web/i18n/message-text.ts';
import { RunStatusIcon } from '#web/runs/RunLine.tsx';
import { listedTasks, taskName } from '#web/tasks/task-names.ts';
import { taskDescription } from './task-descriptions.ts';
import { Button, buttonClass, IconButton } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { focusControl, useAnchor } from '#web/setting-fields/use-anchor.ts';
import { taskAnchor } from '#web/settings-pages/settings-pages.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { minutesAheadOfServer, parseSchedule } from './schedule-times.ts';
import { scheduleText } from './schedule-text.ts';
import { finishedMessage } from './task-state.ts';
import styles from './Tasks.module.css';

interface RowProps {
  task: TaskOverview;
  zone: string;
  isRunning: boolean;
  onEdit(): void;
}

function LastRun({ task: { last_run: run } }: Pick<RowProps, 'task'>) {
  const { t } = useLingui();
  if (!run) return <span className={styles.quiet}>{t`Never`}</span>;
  const at = run.ended ?? run.started ?? run.queued;
  const result = run.result === null ? null : messageText(run.result_messages, run.result);
  return (
    <div className={styles.last}>
      <RunStatusIcon run={run} />
      <div>
        <Link to={pathOfRun(run.id)}>
          <RelativeTime at={at}>{agoText(at)}</RelativeTime>
        </Link>
        {result && (
          <p className={styles.result} title={result}>
            {result}
          </p>
        )}
      </div>
    </div>
  );
}

// The roles stay when the narrow layout takes the table's boxes away.
function TaskRow({ task, zone, isRunning, onEdit }: RowProps) {
  const { t } = useLingui();
  const showToast = useToast();
  const start = useStartTask();
  const { element, isTarget } = useAnchor<HTMLTableRowElement>([taskAnchor(task.name)], focusControl, 'center');
  const title = taskName(task.name, task.title);
  const description = taskDescription(task.name);
  const schedule = scheduleText(parseSchedule(task.schedule?.schedule, minutesAheadOfServer(zone)));
  const next = task.next_run_at;
  return (
    <tr ref={element} id={taskAnchor(task.name)} role="row" className={isTarget ? styles.found : undefined}>
      <th role="rowheader" scope="row">
        {title}
        {description && <p>{t(description)}</p>}
      </th>
      <td role="cell" data-label={t`Schedule`}>
        {task.can_schedule ? (
          <span className={styles.schedule}>
            <span className={task.schedule ? undefined : styles.quiet}>{schedule}</span>
            <IconButton label={t`Change the schedule: ${title}`} onClick={onEdit}>
              <IconPencil aria-hidden />
            </IconButton>
          </span>
        ) : (
          <span className={styles.quiet}>{next ? t`Daily` : t`Manual`}</span>
        )}
      </td>
      <td role="cell" data-label={t`Last run`} className={styles.lastCell}>
        <LastRun task={task} />
      </td>
      <td role="cell" data-label={t`Next run`} className={styles.next}>
        {next ? <RelativeTime at={next}>{agoText(next)}</RelativeTime> : <span className={styles.quiet}>–</span>}
      </td>
      <td role="cell" className={styles.actions}>
        {task.can_start && (
          <Button
            size="s"
            icon={<IconPlayerPlay aria-hidden />}
            disabled={isRunning}
            onClick={() => start.mutate(task.name, { onSuccess: () => showToast(t`${title}: started.`) })}
            aria-label={isRunning ? undefined : t`Run now: ${title}`}
          >
            {isRunning ? t`Running` : t`Run now`}
          </Button>
        )}
        <Link
          to={pathOfHistory(task.name)}
          className={`${buttonClass('quiet', 's')} ${styles.history}`}
          aria-label={t`History: ${title}`}
          title={t`History`}
        >
          <IconHistory aria-hidden />
        </Link>
      </td>
    </tr>
  );
}

/** All tasks with their schedules and last results. */
export function Tasks() {
  const { t } = useLingui();
  const query = useQuery(tasksQuery);
  const notices = useNotices();
  const [edited, setEdited] = useState<string>();
  const isRunning = (name: string) =>
    notices.some((notice) => notice.name === name && !finishedMessage.test(notice.messages[0] ?? ''));
  return (
    <div className={styles.tasks}>
      <QueryBoundary query={query} skeleton={800}>
        {({ tasks, time_zone: zone }) => {
          const order = Object.keys(listedTasks);
          const task = tasks.find(({ name }) => name === edited);
          return (
            <>
              <p className={styles.note}>
                <Trans>
                  Times are in your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}. The server uses {zone}.
                </Trans>
              </p>
              <table role="table" className={styles.table} aria-label={t`Tasks`}>
                <thead>
                  <tr role="row">
                    <th role="columnheader">{t`Task`}</th>
                    <th role="columnheader">{t`Schedule`}</th>
                    <th role="columnheader">{t`Last run`}</th>
                    <th role="columnheader">{t`Next run`}</th>
                    <th role="columnheader">
                      <span className="hidden">{t`Actions`}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {tasks
                    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
                    .map((one) => (
                      <TaskRow
                        key={one.name}
                        task={one}
                        zone={zone}
                        isRunning={isRunning(one.name)}
                        onEdit={() => setEdited(one.name)}
                      />
                    ))}
                </tbody>
              </table>
              {task && <ScheduleDialog task={task} zone={zone} onClose={() => setEdited(undefined)} />}
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}
