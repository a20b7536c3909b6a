import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import type { Check } from '#contract/health.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { checkName, messageText } from '#web/i18n/message-text.ts';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { healthQuery } from '../../api/queries/settings.ts';
import { Section } from '../fields/Section.tsx';
import styles from './Health.module.css';
import cards from '../fields/Settings.module.css';

function CheckIcon({ state }: { state: Check['state'] }) {
  const { t } = useLingui();
  if (state === 'good') return <IconCircleCheck className={styles.good} aria-label={t`OK`} />;
  return state === 'warn' ? (
    <IconAlertTriangle className={styles.warn} aria-label={t`Warning`} />
  ) : (
    <IconCircleX className={styles.bad} aria-label={t`Error`} />
  );
}

/** Shown when there is no recent backup. */
function BackupButtons() {
  const { t } = useLingui();
  const showToast = useToast();
  const refreshChecks = { onSettled: () => queryClient.invalidateQueries({ queryKey: ['settings', 'health'] }) };
  const now = useMutation({
    mutationFn: () => call('POST /api/appsettings/backup/', { body: { reason: 'manual' } }),
    onSuccess: () => showToast(t`Backup started.`),
    onError: (error) => showToast(error.message, { isDanger: true }),
    ...refreshChecks,
  });
  const weekly = useMutation({
    mutationFn: () =>
      call('POST /api/task/schedule/:name/', {
        params: { name: 'run_backup' },
        body: { schedule: '0 3 0', config: { rotate: 4 } },
      }),
    onSuccess: () => showToast(t`Weekly backups are on: every Sunday, keeping the newest four.`),
    onError: (error) => showToast(error.message, { isDanger: true }),
    ...refreshChecks,
  });
  return (
    <p className={`${cards.actions} ${styles.buttons}`}>
      <Button size="s" kind="primary" isBusy={now.isPending} onClick={() => now.mutate()}>
        <Trans>Back up now</Trans>
      </Button>
      <Button size="s" isBusy={weekly.isPending} onClick={() => weekly.mutate()}>
        <Trans>Back up every week</Trans>
      </Button>
    </p>
  );
}

/** Checks of programs, disk, folders, clock, network and login. */
export function Health() {
  const { t } = useLingui();
  const query = useQuery(healthQuery);
  return (
    <Section
      id="checks"
      title={t`System health`}
      actions={
        <Button size="s" icon={<IconRefresh aria-hidden />} isBusy={query.isFetching} onClick={() => void query.refetch()}>
          <Trans>Check again</Trans>
        </Button>
      }
    >
      <QueryBoundary query={query} skeleton={<Skeleton height={560} />}>
        {(checks) => (
          <ul className={styles.checks}>
            {checks.map(({ name, title, state, text, messages, advice, advice_messages: adviceMessages, command }) => (
              <li key={name}>
                <CheckIcon state={state} />
                <div>
                  <strong>{checkName(name, title)}</strong>
                  <p>{messageText(messages, text)}</p>
                  {advice && <p className={styles.advice}>{messageText(adviceMessages, advice)}</p>}
                  {name === 'copies' && state !== 'good' && <BackupButtons />}
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
      </QueryBoundary>
    </Section>
  );
}
