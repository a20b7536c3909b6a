import { useMutation, useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import type { Check } from '#contract/doctor.ts';
import { call } from '#web/api/call.ts';
import { useStart } from '#web/downloads/queries.ts';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './Health.module.css';
import cards from './Settings.module.css';

const icons = {
  good: <IconCircleCheck className={styles.good} aria-label="Good" />,
  warn: <IconAlertTriangle className={styles.warn} aria-label="Attention" />,
  bad: <IconCircleX className={styles.bad} aria-label="Bad" />,
} satisfies Record<Check['state'], unknown>;

function Checks() {
  const query = useQuery({
    queryKey: ['settings', 'doctor'],
    queryFn: ({ signal }) => call('GET /api/doctor/', { signal }),
    staleTime: 60_000,
  });
  return (
    <section className={cards.card}>
      <div className={styles.head}>
        <h2>How the archive is</h2>
        <Button size="s" icon={<IconRefresh aria-hidden />} isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Look again
        </Button>
      </div>
      <Loaded query={query} skeleton={<Skeleton height={320} />}>
        {(checks) => (
          <ul className={styles.checks}>
            {checks.map(({ name, title, state, says, do: what }) => (
              <li key={name}>
                {icons[state]}
                <div>
                  <strong>{title}</strong>
                  <p>{says}</p>
                  {what && <p className={styles.what}>{what}</p>}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

const tasks: [name: string, title: string, words: string][] = [
  ['update_subscribed', 'Scan subscriptions', 'Looks for new videos of every channel and playlist that is subscribed to.'],
  ['manual_import', 'Import', 'Brings in what lies in the import folder of the data folder.'],
  ['rescan_filesystem', 'Compare with the disk', 'Finds files that were moved, came, changed or are missing.'],
  ['verify', 'Verify files', 'Reads every file again and compares it with what it was when it came.'],
  ['thumbnail_check', 'Check thumbnails', 'Fetches pictures that are missing.'],
  ['resync_metadata', 'Embed metadata', 'Writes title, chapters and thumbnail into files; nothing is encoded anew.'],
  ['autodelete', 'Follow the rules now', 'Deletes what your rules name: watched long ago, or older than what is kept.'],
  ['update_ytdlp', 'Update yt-dlp', 'Brings a newer one, tries it, and uses it when it does.'],
];

function Tasks() {
  const start = useStart();
  const say = useToast();
  return (
    <section className={cards.card}>
      <h2>Do it now</h2>
      <TaskNotices />
      <ul className={styles.tasks}>
        {tasks.map(([name, title, words]) => (
          <li key={name}>
            <div>
              <strong>{title}</strong>
              <p>{words}</p>
            </div>
            <Button
              size="s"
              onClick={() => start.mutate(name, { onSuccess: () => say(`${title}: started.`) })}
              aria-label={`Start: ${title}`}
            >
              Start
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Ytdlp() {
  const say = useToast();
  const { data, refetch } = useQuery({
    queryKey: ['settings', 'ytdlp'],
    queryFn: ({ signal }) => call('GET /api/ytdlp/', { signal }),
  });
  const back = useMutation({
    mutationFn: () => call('POST /api/ytdlp/rollback/', {}),
    onError: (error) => say(error.message, { isDanger: true }),
    onSettled: () => refetch(),
  });
  if (!data) return null;
  return (
    <section className={cards.card}>
      <h2>yt-dlp</h2>
      <p>
        Version {data.version ?? 'none'}. {data.is_managed ? 'It is kept up to date here.' : 'The machine keeps it up to date.'}
        {data.pinned && ` Only ${data.pinned} is used.`}
      </p>
      {data.previous && (
        <div className={cards.actions}>
          <Button isBusy={back.isPending} onClick={() => back.mutate()}>
            Go back to {data.previous}
          </Button>
        </div>
      )}
    </section>
  );
}

/** How the archive is, and what can be done for it. */
export function Health() {
  return (
    <div className={cards.cards}>
      <Checks />
      <Ytdlp />
      <Tasks />
    </div>
  );
}
