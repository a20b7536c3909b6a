import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schedule } from '#contract/schedule.ts';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useShowsHelp } from '#web/user/queries.ts';
import styles from './Schedules.module.css';
import cards from './Settings.module.css';
import { configNames, type scheduled } from './tasks.ts';

type Task = (typeof scheduled)[number];

/** Why a schedule was not taken. */
function Why({ error }: { error: Error }) {
  const { t } = useLingui();
  return (
    <Note kind="danger">
      {error instanceof ApiError && error.status > 0
        ? t`Error ${error.status}: ${error.message}`
        : t`An unexpected error occurred.`}
    </Note>
  );
}

function useSchedule(name: string) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['task', 'schedules'] });
  return {
    save: useMutation({
      mutationFn: (body: { schedule?: string; config?: Record<string, number> }) =>
        call('POST /api/task/schedule/:name/', { params: { name }, body }),
      onSettled,
    }),
    drop: useMutation({ mutationFn: () => call('DELETE /api/task/schedule/:name/', { params: { name } }), onSettled }),
  };
}

/** A text that can be typed over what is saved. Once it is saved it is let go, unless something else was typed meanwhile. */
function useDraft(saved: string) {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    text: typed ?? saved,
    setTyped,
    letGo: () => setTyped((now) => (now === typed ? null : now)),
  };
}

/** What may be set beside the time, such as how many backups are kept. */
function Config({ task, name, value }: { task: Task; name: string; value: number }) {
  const { t } = useLingui();
  const { save } = useSchedule(task.name);
  const withHelp = useShowsHelp();
  const { text, setTyped, letGo } = useDraft(String(value));
  const label = configNames[name] ? t(configNames[name]) : name;
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ config: { [name]: Number(text) } }, { onSuccess: letGo });
      }}
    >
      <Field
        label={t`${t(task.title)}: ${label}`}
        help={withHelp && task.help ? t(task.help) : undefined}
        type="number"
        inputMode="numeric"
        value={text}
        required
        onChange={(event) => setTyped(event.target.value)}
      />
      {text !== String(value) && (
        <div className={cards.actions}>
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending}>
            <Trans>Update</Trans>
          </Button>
        </div>
      )}
      {save.isError && <Why error={save.error} />}
    </form>
  );
}

/** When one task runs by itself. */
export function OneSchedule({ task, found }: { task: Task; found: Schedule | undefined }) {
  const { t } = useLingui();
  const { save, drop } = useSchedule(task.name);
  const { text, setTyped, letGo } = useDraft(found?.schedule ?? '');
  const title = t(task.title);
  const switchOff = () => drop.mutate(undefined, { onSuccess: () => setTyped(null) });
  return (
    <li className={styles.one}>
      <form
        className={styles.row}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') save.mutate({ schedule: text.trim() }, { onSuccess: letGo });
          else if (found) switchOff();
        }}
      >
        <Field
          label={title}
          placeholder={t`Off`}
          help={
            found ? (
              <>
                {found.schedule_human}; <Moment at={found.next_run_at}>{t`next ${agoText(found.next_run_at)}`}</Moment>
                {found.last_run_at && `, ${t`last ${agoText(found.last_run_at)}`}`}
              </>
            ) : (
              t`Does not run by itself.`
            )
          }
          value={text}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className={cards.actions}>
          {text.trim() !== (found?.schedule ?? '') && (
            <Button
              type="submit"
              kind="primary"
              size="s"
              isBusy={save.isPending || drop.isPending}
              aria-label={t`Save: ${title}`}
            >
              <Trans>Save</Trans>
            </Button>
          )}
          {found ? (
            <Button size="s" kind="quiet" isBusy={drop.isPending} onClick={switchOff} aria-label={t`Switch off: ${title}`}>
              <Trans>Switch off</Trans>
            </Button>
          ) : (
            text.trim() === '' && (
              <Button
                size="s"
                isBusy={save.isPending}
                onClick={() => save.mutate({ schedule: 'auto' })}
                aria-label={t`Every day: ${title}`}
              >
                <Trans>Every day</Trans>
              </Button>
            )
          )}
        </div>
      </form>
      {save.isError && <Why error={save.error} />}
      {drop.isError && <Why error={drop.error} />}
      {found && Object.entries(found.config).map(([name, value]) => <Config key={name} task={task} name={name} value={value} />)}
    </li>
  );
}
