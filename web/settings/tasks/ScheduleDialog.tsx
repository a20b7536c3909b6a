import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TaskOverview } from '#contract/schedule.ts';
import { ApiError, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { dateTimeText, weekdayName } from '#web/format/dates.ts';
import { taskName } from '#web/tasks/task-names.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import {
  isShiftedByClockChanges,
  minutesAheadOfServer,
  parseSchedule,
  serializeSchedule,
  type ScheduleChoice,
} from './schedule-times.ts';
import { scheduleText } from './schedule-text.ts';
import styles from './Tasks.module.css';

const debounceMs = 300;

/** Suggested times by task, in the time zone of the browser; others start at 08:00. */
const usualTimes: Record<string, string> = {
  download_pending: '09:00',
  check_reindex: '12:00',
  thumbnail_check: '12:30',
  run_backup: '03:00',
  verify: '02:00',
  autodelete: '03:30',
  update_ytdlp: '04:40',
};

/** Labels and help texts of the options of tasks. */
const optionTexts: Record<string, { label: MessageDescriptor; help: MessageDescriptor }> = {
  days: { label: msg`Days`, help: msg`Refreshes metadata older than this many days. 90 is recommended.` },
  rotate: { label: msg`Backups to keep`, help: msg`Number of scheduled backups to keep. 0 keeps all.` },
  percent: { label: msg`Share of the files (%)`, help: msg`Verified in each run, those not verified for longest first.` },
};

/** The message of a rejected schedule in plain words. */
function useErrorText() {
  const { t } = useLingui();
  return (error: Error, schedule: string | null) => {
    if (!(error instanceof ApiError) || error.status === 0) return t`An unexpected error occurred.`;
    const [first] = (error.body as { messages?: { id: string }[] } | null)?.messages ?? [];
    const isSchedule = /^error\.(schedule|schedule-fields|minutes|minutes-number)$/.test(first?.id ?? '');
    return isSchedule
      ? t`“${schedule}” is not a valid schedule. Enter the minute (0–59), the hour (0–23 or *) and the day of the week (0–6, 0 is Sunday, or *).`
      : error.message;
  };
}

/** The fields of the chosen kind of schedule. */
function ScheduleFields({ choice, onChange }: { choice: ScheduleChoice; onChange(choice: ScheduleChoice): void }) {
  const { t } = useLingui();
  if (choice.kind === 'custom')
    return (
      <Field
        label={t`Minute, hour, day of week`}
        help={t`Cron fields, for example “30 20 1-5”. Server time; 0 is Sunday.`}
        value={choice.fields}
        required
        spellCheck={false}
        onChange={({ target }) => onChange({ ...choice, fields: target.value })}
      />
    );
  if (choice.kind === 'hourly')
    return (
      <Field
        label={t`Minute of the hour`}
        type="number"
        min={0}
        max={59}
        value={choice.minute}
        required
        onChange={({ target }) => onChange({ ...choice, minute: Number(target.value) })}
      />
    );
  if (choice.kind === 'off') return null;
  return (
    <>
      {choice.kind === 'weekly' && (
        <Select
          label={t`Day`}
          value={String(choice.day)}
          choices={[1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: weekdayName(day, 'long') }))}
          onChange={({ target }) => onChange({ ...choice, day: Number(target.value) })}
        />
      )}
      <Field
        label={t`Time`}
        type="time"
        value={choice.time}
        required
        onChange={({ target }) => onChange({ ...choice, time: target.value })}
      />
    </>
  );
}

/** The schedule in a sentence, with its next run. */
function Preview({ choice, schedule, zone }: { choice: ScheduleChoice; schedule: string; zone: string }) {
  const { t } = useLingui();
  const errorText = useErrorText();
  const checked = useDebouncedValue(schedule, debounceMs);
  const { data, error } = useQuery({
    queryKey: ['task', 'schedule preview', checked],
    queryFn: ({ signal }) => call('GET /api/task/schedule-preview/', { query: { schedule: checked }, signal }),
    retry: false,
  });
  if (error && checked === schedule) return <Callout kind="danger">{errorText(error, schedule)}</Callout>;
  const isCustom = choice.kind === 'custom';
  const shownZone = isCustom ? zone : Intl.DateTimeFormat().resolvedOptions().timeZone;
  const next = data && checked === schedule ? dateTimeText(data.next_run_at) : '…';
  return (
    <div className={styles.preview} role="status">
      <p>{t`${scheduleText(choice)} (${shownZone}); next: ${next}`}</p>
      {(choice.kind === 'daily' || choice.kind === 'weekly') && isShiftedByClockChanges(zone) && (
        <p className={styles.quiet}>
          <Trans>The server uses {zone}, so the time here changes when clocks change.</Trans>
        </p>
      )}
    </div>
  );
}

/** Changes the schedule and the options of a task. */
export function ScheduleDialog({ task, zone, onClose }: { task: TaskOverview; zone: string; onClose(): void }) {
  const { t } = useLingui();
  const errorText = useErrorText();
  const ahead = minutesAheadOfServer(zone);
  const [choice, setChoice] = useState(() => parseSchedule(task.schedule?.schedule, ahead));
  const [options, setOptions] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      Object.entries(task.options).map(([name, { initial }]) => [name, String(task.schedule?.config[name] ?? initial)]),
    ),
  );
  const schedule = serializeSchedule(choice, ahead);
  const params = { name: task.name };
  const save = useMutation({
    mutationFn: async () => {
      if (schedule !== null)
        await call('POST /api/task/schedule/:name/', {
          params,
          body: { schedule, config: Object.fromEntries(Object.entries(options).map(([name, text]) => [name, Number(text)])) },
        });
      else if (task.schedule) await call('DELETE /api/task/schedule/:name/', { params });
    },
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['task'] }),
  });
  const choiceOfKind = (kind: string): ScheduleChoice => {
    const time = 'time' in choice ? choice.time : (usualTimes[task.name] ?? '08:00');
    if (kind === 'hourly') return { kind, minute: 0 };
    if (kind === 'daily') return { kind, time };
    if (kind === 'weekly') return { kind, time, day: 1 };
    if (kind === 'custom') return { kind, fields: schedule ?? '0 8 *' };
    return { kind: 'off' };
  };
  const failed = save.error && errorText(save.error, schedule);
  return (
    <Dialog title={t`Schedule: ${taskName(task.name, task.title)}`} onClose={onClose}>
      <Form onSubmit={() => save.mutate()}>
        <Select
          label={t`Run`}
          value={choice.kind}
          choices={[
            { value: 'off', label: t`Off` },
            { value: 'hourly', label: t`Every hour` },
            { value: 'daily', label: t`Every day` },
            { value: 'weekly', label: t`Every week` },
            { value: 'custom', label: t`Custom` },
          ]}
          onChange={({ target }) => setChoice(choiceOfKind(target.value))}
        />
        <ScheduleFields choice={choice} onChange={setChoice} />
        {choice.kind !== 'off' &&
          Object.entries(task.options).map(([name, { min, max }]) => {
            const texts = optionTexts[name];
            return (
              <Field
                key={name}
                label={texts ? t(texts.label) : name}
                help={texts && t(texts.help)}
                type="number"
                inputMode="numeric"
                min={min}
                max={max}
                value={options[name]}
                required
                onChange={({ target }) => setOptions({ ...options, [name]: target.value })}
              />
            );
          })}
        {schedule !== null && !save.isError && <Preview choice={choice} schedule={schedule} zone={zone} />}
        {failed && (
          <Callout kind="danger">
            {save.error instanceof ApiError && save.error.status > 0 ? t`Error ${save.error.status}: ${failed}` : failed}
          </Callout>
        )}
        <DialogActions onCancel={onClose}>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
