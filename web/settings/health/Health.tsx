import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react';
import type { Check } from '#contract/health.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { useNotices, useStartTask } from '#web/api/queries/download.ts';
import { checkName, messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { healthQuery } from '#web/api/queries/settings.ts';
import { Section } from '#web/setting-fields/Section.tsx';
import { pathOfSettings } from '#web/settings-pages/settings-pages.ts';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import styles from './Health.module.css';

function CheckIcon({ state }: { state: Check['state'] }) {
  const { t } = useLingui();
  if (state === 'good') return <IconCircleCheck className={styles.good} aria-label={t`OK`} />;
  return state === 'warn' ? (
    <IconAlertTriangle className={styles.warn} aria-label={t`Warning`} />
  ) : (
    <IconCircleX className={styles.bad} aria-label={t`Error`} />
  );
}

/** Installs a missing part of yt-dlp, or updates it; the checks are made again when that has ended. */
function YtdlpButton({ action, isBusy }: { action: NonNullable<Check['action']>; isBusy: boolean }) {
  const { t } = useLingui();
  const showToast = useToast();
  const start = useStartTask(() => showToast(action === 'install' ? t`Installation started.` : t`Update started.`));
  return (
    <ActionRow>
      <Button size="s" kind="primary" isBusy={isBusy || start.isPending} onClick={() => start.mutate('update_ytdlp')}>
        {action === 'install' ? <Trans>Install</Trans> : <Trans>Update yt-dlp</Trans>}
      </Button>
    </ActionRow>
  );
}

/** Shown when there is no recent backup. */
function BackupButtons() {
  const { t } = useLingui();
  const showToast = useToast();
  const refreshChecks = { onSettled: () => queryClient.invalidateQueries({ queryKey: ['settings', 'health'] }) };
  const now = useAction(() => call('POST /api/appsettings/backup/', { body: { reason: 'manual' } }), {
    onSuccess: () => showToast(t`Backup started.`),
    ...refreshChecks,
  });
  const weekly = useAction(
    () =>
      call('POST /api/task/schedule/:name/', {
        params: { name: 'run_backup' },
        body: { schedule: '0 3 0', config: { rotate: 4 } },
      }),
    { onSuccess: () => showToast(t`Weekly backups are on: every Sunday, keeping the newest four.`), ...refreshChecks },
  );
  return (
    <ActionRow>
      <Button size="s" kind="primary" isBusy={now.isPending} onClick={() => now.mutate()}>
        <Trans>Back up now</Trans>
      </Button>
      <Button size="s" isBusy={weekly.isPending} onClick={() => weekly.mutate()}>
        <Trans>Back up every week</Trans>
      </Button>
    </ActionRow>
  );
}

function CheckRow({ check, isUpdating }: { check: Check; isUpdating: boolean }) {
  const { t } = useLingui();
  const { name, title, state, text, messages, advice, advice_messages: adviceMessages, command, action } = check;
  return (
    <li>
      <CheckIcon state={state} />
      <div>
        <strong>{checkName(name, title)}</strong>
        <p>
          <TextWithLinks text={messageText(messages, text)} />
        </p>
        {advice && (
          <p className={styles.advice}>
            <TextWithLinks text={messageText(adviceMessages, advice)} />
          </p>
        )}
        {name === 'copies' && state !== 'good' && <BackupButtons />}
        {action && <YtdlpButton action={action} isBusy={isUpdating} />}
        {name === 'clients' && state !== 'good' && (
          <ActionRow>
            <Link to={pathOfSettings('health/ytdlp', 'ytdlp')} className={buttonClass('primary', 's')}>
              <Trans>Choose clients</Trans>
            </Link>
          </ActionRow>
        )}
        {command && (
          <p className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label={t`Copy: ${command}`} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Checks of programs, disk, folders, clock, network and login. */
export function Health() {
  const { t } = useLingui();
  const query = useQuery(healthQuery);
  const isUpdating = useNotices().some(({ group }) => group === 'setting:ytdlp');
  const { refetch } = query;
  const wasUpdating = useRef(isUpdating);
  useEffect(() => {
    if (wasUpdating.current && !isUpdating) void refetch();
    wasUpdating.current = isUpdating;
  }, [isUpdating, refetch]);
  const list = (checks: Check[]) => (
    <ul className={styles.checks}>
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} isUpdating={isUpdating} />
      ))}
    </ul>
  );
  return (
    <Cards>
      <Section
        id="checks"
        title={t`System health`}
        actions={
          <Button size="s" icon={<IconRefresh aria-hidden />} isBusy={query.isFetching} onClick={() => void query.refetch()}>
            <Trans>Check again</Trans>
          </Button>
        }
      >
        <QueryBoundary query={query} skeleton={560}>
          {(checks) => list(checks.filter(({ group }) => group === 'system'))}
        </QueryBoundary>
      </Section>
      <Section id="programs" title={t`Programs for downloads`}>
        <QueryBoundary query={query} skeleton={480}>
          {(checks) => list(checks.filter(({ group }) => group === 'programs'))}
        </QueryBoundary>
      </Section>
    </Cards>
  );
}
