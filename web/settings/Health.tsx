import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import type { Check } from '#contract/doctor.ts';
import { call } from '#web/api/call.ts';
import { told, toldName } from '#web/api/told.ts';
import { useStart } from '#web/downloads/queries.ts';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { CopyButton } from './CopyButton.tsx';
import { doctorQuery } from './setting-queries.ts';
import styles from './Health.module.css';
import cards from './Settings.module.css';

function Sign({ state }: { state: Check['state'] }) {
  const { t } = useLingui();
  if (state === 'good') return <IconCircleCheck className={styles.good} aria-label={t`Good`} />;
  return state === 'warn' ? (
    <IconAlertTriangle className={styles.warn} aria-label={t`Attention`} />
  ) : (
    <IconCircleX className={styles.bad} aria-label={t`Bad`} />
  );
}

function Checks() {
  const { t } = useLingui();
  const query = useQuery(doctorQuery);
  return (
    <section className={cards.card}>
      <div className={styles.head}>
        <h2>
          <Trans>How the archive is</Trans>
        </h2>
        <Button size="s" icon={<IconRefresh aria-hidden />} isBusy={query.isFetching} onClick={() => void query.refetch()}>
          <Trans>Look again</Trans>
        </Button>
      </div>
      <Loaded query={query} skeleton={<Skeleton height={560} />}>
        {(checks) => (
          <ul className={styles.checks}>
            {checks.map(({ name, title, state, says, said, do: what, do_said: whatSaid, command }) => (
              <li key={name}>
                <Sign state={state} />
                <div>
                  <strong>{toldName('check', name, title)}</strong>
                  <p>{told(says, said)}</p>
                  {what && <p className={styles.what}>{told(what, whatSaid)}</p>}
                  {command && (
                    <p className={styles.command}>
                      <code>{command}</code>
                      <CopyButton text={command} label={t`Copy: ${command}`} />
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

const tasks: { name: string; title: MessageDescriptor; words: MessageDescriptor }[] = [
  {
    name: 'update_subscribed',
    title: msg`Rescan subscriptions`,
    words: msg`Looks for new videos of every channel and playlist that is subscribed to.`,
  },
  {
    name: 'verify',
    title: msg`Verify files`,
    words: msg`Reads every file again and compares it with what it was when it came.`,
  },
  { name: 'thumbnail_check', title: msg`Check thumbnails`, words: msg`Fetches pictures that are missing.` },
  {
    name: 'resync_metadata',
    title: msg`Embed metadata`,
    words: msg`Writes title, chapters and thumbnail into files; nothing is encoded anew.`,
  },
  {
    name: 'autodelete',
    title: msg`Follow the rules now`,
    words: msg`Deletes what your rules name: watched long ago, or older than what is kept.`,
  },
  { name: 'update_ytdlp', title: msg`Update yt-dlp`, words: msg`Brings a newer one, tries it, and uses it when it does.` },
];

function Tasks() {
  const { t } = useLingui();
  const start = useStart();
  const say = useToast();
  return (
    <section className={cards.card}>
      <h2>
        <Trans>Do it now</Trans>
      </h2>
      <TaskNotices />
      <ul className={styles.tasks}>
        {tasks.map(({ name, title: named, words }) => {
          const title = t(named);
          return (
            <li key={name}>
              <div>
                <strong>{title}</strong>
                <p>{t(words)}</p>
              </div>
              <Button
                size="s"
                onClick={() => start.mutate(name, { onSuccess: () => say(t`${title}: started.`) })}
                aria-label={t`Start: ${title}`}
              >
                <Trans>Start</Trans>
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Ytdlp() {
  const { t } = useLingui();
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
        {t`Version ${data.version ?? t`none`}.`}{' '}
        {data.is_managed ? t`It is kept up to date here.` : t`The machine keeps it up to date.`}
        {data.pinned && ` ${t`Only ${data.pinned} is used.`}`}
      </p>
      {data.previous && (
        <div className={cards.actions}>
          <Button isBusy={back.isPending} onClick={() => back.mutate()}>
            <Trans>Go back to {data.previous}</Trans>
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
