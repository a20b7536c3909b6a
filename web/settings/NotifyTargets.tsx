import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Section } from './Section.tsx';
import styles from './Schedules.module.css';
import cards from './Settings.module.css';
import { scheduled } from './tasks.ts';

const key = ['task', 'targets'];

/** Where the end of each task is told. */
export function NotifyTargets() {
  const { t } = useLingui();
  const [task, setTask] = useState('');
  const [url, setUrl] = useState('');
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/task/notification/', { signal }) });
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: () => call('POST /api/task/notification/', { body: { task_name: task, url } }),
    onSuccess: () => setUrl(''),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => call('POST /api/task/notification/test/', { body: { url, task_name: task } }),
  });
  const drop = useMutation({
    mutationFn: (one: { task_name: string; url: string }) => call('DELETE /api/task/notification/', { body: one }),
    onSettled: refresh,
  });
  const failed = add.error ?? drop.error;
  const isReady = task !== '' && url.trim() !== '';
  const testFailed =
    test.error instanceof ApiError && test.error.status > 0
      ? test.error.message || t`Test notification failed`
      : t`An unexpected error occurred while testing notification.`;
  return (
    <Section
      id="notifications"
      title={t`Tell me elsewhere`}
      words={
        <Trans>
          When a task has something to tell: to ntfy, Gotify, Discord, Slack, Telegram, Matrix, mail, a webhook, and whatever
          Apprise knows. The address is written as Apprise has it, such as ntfys://ntfy.sh/my-topic.
        </Trans>
      }
    >
      <form
        className={styles.target}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Select
          label={t`Task`}
          choices={[
            { value: '', label: t`Choose a task` },
            ...scheduled.map(({ name, title }) => ({ value: name, label: t(title) })),
          ]}
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
        <Field label={t`Address`} value={url} spellCheck={false} onChange={(event) => setUrl(event.target.value)} />
        {failed && <Note kind="danger">{failed.message}</Note>}
        {test.isSuccess && <Note kind={test.data.success ? 'info' : 'danger'}>{test.data.message}</Note>}
        {test.isError && <Note kind="danger">{testFailed}</Note>}
        <div className={cards.actions}>
          <Button type="submit" kind="primary" disabled={!isReady} isBusy={add.isPending}>
            <Trans>Save</Trans>
          </Button>
          <Button disabled={!isReady} isBusy={test.isPending} onClick={() => test.mutate()}>
            <Trans>Test</Trans>
          </Button>
        </div>
      </form>
      <Loaded query={query} skeleton={<Skeleton height={48} />}>
        {(targets) => (
          <ul className={styles.targets}>
            {Object.entries(targets).flatMap(([name, { title, urls }]) =>
              urls.map((one) => (
                <li key={`${name} ${one}`}>
                  <span>
                    <strong>{title}</strong> <code>{one}</code>
                  </span>
                  <Button
                    size="s"
                    kind="quiet"
                    onClick={() => drop.mutate({ task_name: name, url: one })}
                    aria-label={t`Remove: ${title}`}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                </li>
              )),
            )}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
