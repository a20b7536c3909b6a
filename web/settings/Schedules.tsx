import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText, momentText } from '#web/format/dates.ts';
import { Button } from '#web/ui/Button.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './Schedules.module.css';
import cards from './Settings.module.css';

const key = ['task', 'schedules'];

const known: [name: string, title: string][] = [
  ['update_subscribed', 'Scan subscriptions'],
  ['download_pending', 'Download the queue'],
  ['check_reindex', 'Bring details up to date'],
  ['thumbnail_check', 'Check thumbnails'],
  ['verify', 'Verify files'],
  ['autodelete', 'Follow the rules of deletion'],
  ['update_ytdlp', 'Update yt-dlp'],
];

interface Found {
  schedule: string;
  schedule_human: string;
  last_run_at: string | null;
  next_run_at: string;
}

function One({ name, title, found }: { name: string; title: string; found: Found | undefined }) {
  const [text, setText] = useState(found?.schedule ?? '');
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  const save = useMutation({
    mutationFn: (schedule: string) => call('POST /api/task/schedule/:name/', { params: { name }, body: { schedule } }),
    onSuccess: ({ schedule }) => setText(schedule),
    onSettled: refresh,
  });
  const drop = useMutation({
    mutationFn: () => call('DELETE /api/task/schedule/:name/', { params: { name } }),
    onSuccess: () => setText(''),
    onSettled: refresh,
  });
  return (
    <li className={styles.one}>
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(text.trim() || 'auto');
        }}
      >
        <Field
          label={title}
          placeholder="Off"
          help={
            found ? (
              <>
                {found.schedule_human}; next <time title={momentText(found.next_run_at)}>{agoText(found.next_run_at)}</time>
                {found.last_run_at && `, last ${agoText(found.last_run_at)}`}
              </>
            ) : (
              'Does not run by itself.'
            )
          }
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <div className={cards.actions}>
          {text.trim() !== (found?.schedule ?? '') && (
            <Button type="submit" kind="primary" size="s" isBusy={save.isPending}>
              Save
            </Button>
          )}
          {found ? (
            <Button
              size="s"
              kind="quiet"
              isBusy={drop.isPending}
              onClick={() => drop.mutate()}
              aria-label={`Switch off: ${title}`}
            >
              Switch off
            </Button>
          ) : (
            text.trim() === '' && (
              <Button size="s" isBusy={save.isPending} onClick={() => save.mutate('auto')} aria-label={`Every day: ${title}`}>
                Every day
              </Button>
            )
          )}
        </div>
      </form>
      {save.isError && <Note kind="danger">{save.error.message}</Note>}
    </li>
  );
}

function Notices() {
  const say = useToast();
  const [task, setTask] = useState('download_pending');
  const [url, setUrl] = useState('');
  const noticeKey = ['task', 'targets'];
  const { data = {} } = useQuery({
    queryKey: noticeKey,
    queryFn: ({ signal }) => call('GET /api/task/notification/', { signal }),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: noticeKey });
  const add = useMutation({
    mutationFn: () => call('POST /api/task/notification/', { body: { task_name: task, url } }),
    onSuccess: () => setUrl(''),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: () => call('POST /api/task/notification/test/', { body: { url, task_name: task } }),
    onSuccess: ({ message }) => say(message),
  });
  const drop = useMutation({
    mutationFn: (one: { task_name: string; url: string }) => call('DELETE /api/task/notification/', { body: one }),
    onSettled: refresh,
  });
  const why = add.error ?? test.error;
  return (
    <section className={cards.card}>
      <h2>Tell me elsewhere</h2>
      <p className={cards.words}>
        When a task has something to tell: to ntfy, Gotify, Discord, Slack, Telegram, Matrix, mail, a webhook, and whatever
        Apprise knows. The address is written as Apprise has it, such as ntfys://ntfy.sh/my-topic.
      </p>
      <form
        className={styles.target}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Select
          label="Task"
          choices={known.map(([name, title]) => ({ value: name, label: title }))}
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
        <Field label="Address" value={url} spellCheck={false} onChange={(event) => setUrl(event.target.value)} />
        {why && <Note kind="danger">{why.message}</Note>}
        <div className={cards.actions}>
          <Button type="submit" kind="primary" disabled={url.trim() === ''} isBusy={add.isPending}>
            Save
          </Button>
          <Button disabled={url.trim() === ''} isBusy={test.isPending} onClick={() => test.mutate()}>
            Test
          </Button>
        </div>
      </form>
      <ul className={styles.targets}>
        {Object.entries(data).flatMap(([name, { title, urls }]) =>
          urls.map((one) => (
            <li key={`${name} ${one}`}>
              <span>
                <strong>{title}</strong> <code>{one}</code>
              </span>
              <Button size="s" kind="quiet" onClick={() => drop.mutate({ task_name: name, url: one })}>
                Remove
              </Button>
            </li>
          )),
        )}
      </ul>
    </section>
  );
}

/** What runs by itself, when, and who hears of it. */
export function Schedules() {
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => call('GET /api/task/schedule/', { signal }) });
  return (
    <div className={cards.cards}>
      <section className={cards.card}>
        <h2>What runs by itself</h2>
        <p className={cards.words}>
          Minute, hour and day of the week, such as “0 8 *” for every day at eight, or “30 20 1-5” for half past eight on
          workdays.
        </p>
        <Loaded query={query} skeleton={<Skeleton height={400} />}>
          {(all) => (
            <ul className={styles.list}>
              {known.map(([name, title]) => {
                const found = all.find((one) => one.name === name);
                return <One key={`${name} ${found?.schedule ?? ''}`} name={name} title={title} found={found} />;
              })}
            </ul>
          )}
        </Loaded>
      </section>
      <Notices />
    </div>
  );
}
