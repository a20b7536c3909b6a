import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import styles from './Action.module.css';
import { RunProgress } from '../tasks/RunProgress.tsx';
import { useIsRunning } from '../tasks/task-state.ts';

interface ActionOptions {
  ignore_error: boolean;
  prefer_local: boolean;
  /** Only supported by the import. */
  leave_files?: boolean;
}

interface ActionProps {
  id: string;
  title: string;
  text: string;
  /** Shown while the task runs. */
  busy: string;
  group: string;
  button: string;
  start(options: ActionOptions & { dry_run: boolean }): Promise<{ task_id: string }>;
  /** Labels of the switches by option. */
  switches?: Partial<Record<keyof ActionOptions, { label: string; help: string }>>;
  /** Shows the result of a run. */
  result?(id: string, isDry: boolean): ReactNode;
  children?: ReactNode;
}

/** A task started manually, optionally as a dry run. */
export function Action({ id, title, text, busy, group, button, start, switches, result, children }: ActionProps) {
  const { t } = useLingui();
  const [options, setOptions] = useState<ActionOptions>({ ignore_error: false, prefer_local: false });
  const isRunning = useIsRunning(group);
  const run = useMutation({ mutationFn: (isDry: boolean) => start({ ...options, dry_run: isDry }) });
  return (
    <Section id={id} title={title} text={text}>
      {children}
      {(Object.entries(switches ?? {}) as [keyof ActionOptions, { label: string; help: string }][]).map(([name, texts]) => (
        <Switch
          key={name}
          {...texts}
          isOn={options[name] ?? false}
          onChange={(isOn) => setOptions({ ...options, [name]: isOn })}
        />
      ))}
      {run.isError && <Callout kind="danger">{run.error.message}</Callout>}
      <ActionRow>
        {switches && (
          <Button disabled={isRunning} isBusy={run.isPending} onClick={() => run.mutate(true)} aria-label={t`Dry run: ${title}`}>
            {t`Dry run`}
          </Button>
        )}
        <Button kind="primary" disabled={isRunning} isBusy={run.isPending} onClick={() => run.mutate(false)}>
          {button}
        </Button>
        <span role="status" className={styles.status}>
          {isRunning && busy}
        </span>
      </ActionRow>
      {run.data && (result?.(run.data.task_id, run.variables) ?? <RunProgress id={run.data.task_id} />)}
    </Section>
  );
}
