import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventMessages } from '#contract/messages/events.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { webhookUrl } from './webhook-url.ts';
import styles from './NotifyTargets.module.css';
import { tasksQuery } from '#web/api/queries/download.ts';
import { taskName } from '#web/tasks/task-names.ts';

const key = ['task', 'targets'];

const eventIds = Object.keys(eventMessages) as (keyof typeof eventMessages)[];
const eventName = (id: string) => id.slice('event.'.length);
const eventTitle = (id: keyof typeof eventMessages) => messageText([{ id }], eventMessages[id]);

/** Notification targets for task results. */
export function NotifyTargets() {
  const { t } = useLingui();
  const nameOf = (name: string, title: string) => {
    const event = eventIds.find((id) => eventName(id) === name);
    return event ? eventTitle(event) : taskName(name, title);
  };
  const [task, setTask] = useState('');
  const [kind, setKind] = useState<'service' | 'webhook'>('service');
  const [typedUrl, setUrl] = useState('');
  const [address, setAddress] = useState('');
  const [secret, setSecret] = useState('');
  const url = kind === 'service' ? typedUrl : (webhookUrl(address, secret) ?? '');
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/task/notification/', { signal }) });
  const tasks = useQuery(tasksQuery).data?.tasks.filter(({ can_schedule: canSchedule }) => canSchedule) ?? [];
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const add = useMutation({
    mutationFn: () => call('POST /api/task/notification/', { body: { task_name: task, url } }),
    onSuccess: () => {
      setUrl('');
      setAddress('');
      setSecret('');
    },
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => call('POST /api/task/notification/test/', { body: { url, task_name: task } }),
  });
  const remove = useMutation({
    mutationFn: (one: { task_name: string; id: number }) => call('DELETE /api/task/notification/', { body: one }),
    onSettled: refresh,
  });
  const failed = add.error ?? remove.error;
  const isReady = task !== '' && url.trim() !== '';
  const testFailed =
    test.error instanceof ApiError && test.error.status > 0
      ? test.error.message || t`Test notification failed`
      : t`An unexpected error occurred while testing notification.`;
  return (
    <Section
      id="notifications"
      title={t`Notifications`}
      text={
        <Trans>
          Events and task results are sent to ntfy, Gotify, Discord, Slack, Telegram, Matrix, email, a webhook or any Apprise
          service, with an Apprise URL, for example ntfys://ntfy.sh/my-topic.
        </Trans>
      }
    >
      <Form onSubmit={() => add.mutate()}>
        <Select
          label={t`Event or task`}
          choices={[
            { value: '', label: t`Choose an event or a task` },
            ...eventIds.map((id) => ({ value: eventName(id), label: eventTitle(id) })),
            ...tasks.map(({ name, title }) => ({ value: name, label: taskName(name, title) })),
          ]}
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
        <SegmentedControl
          label={t`Kind of target`}
          choices={[
            { value: 'service', label: t`Apprise URL` },
            { value: 'webhook', label: t`Webhook` },
          ]}
          value={kind}
          onChange={(value) => setKind(value === 'webhook' ? 'webhook' : 'service')}
        />
        {kind === 'service' ? (
          <Field
            label={t`Notification URL`}
            value={typedUrl}
            spellCheck={false}
            onChange={(event) => setUrl(event.target.value)}
          />
        ) : (
          <>
            <Field
              label={t`Address`}
              type="url"
              value={address}
              placeholder="https://example.org/hooks/reelkeep"
              spellCheck={false}
              onChange={(event) => setAddress(event.target.value)}
            />
            <Field
              label={t`Secret (optional)`}
              help={t`Signs the requests, so that the receiver can check where they come from.`}
              value={secret}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setSecret(event.target.value)}
            />
          </>
        )}
        <UnsavedChanges isChanged={url.trim() !== ''} />
        {failed && <Callout kind="danger">{failed.message}</Callout>}
        {test.isSuccess && (
          <Callout kind={test.data.success ? 'info' : 'danger'}>{messageText(test.data.messages, test.data.message)}</Callout>
        )}
        {test.isError && <Callout kind="danger">{testFailed}</Callout>}
        <ActionRow>
          <Button type="submit" kind="primary" disabled={!isReady} isBusy={add.isPending}>
            <Trans>Save</Trans>
          </Button>
          <Button disabled={!isReady} isBusy={test.isPending} onClick={() => test.mutate()}>
            <Trans>Test</Trans>
          </Button>
        </ActionRow>
      </Form>
      <QueryBoundary query={query} skeleton={48}>
        {(targets) => (
          <ul className={styles.targets}>
            {Object.entries(targets).flatMap(([name, { title, targets: all }]) =>
              all.map(({ id, url: masked }) => (
                <li key={id}>
                  <span>
                    <strong>{nameOf(name, title)}</strong> <code>{masked}</code>
                  </span>
                  <Button
                    size="s"
                    kind="quiet"
                    onClick={() => remove.mutate({ task_name: name, id })}
                    aria-label={t`Remove: ${nameOf(name, title)}`}
                  >
                    <Trans>Remove</Trans>
                  </Button>
                </li>
              )),
            )}
          </ul>
        )}
      </QueryBoundary>
    </Section>
  );
}
