import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { queueEtaQuery, cooldownsQuery, schedulesQuery, startTask, useNotices } from '#web/api/queries/download.ts';
import styles from './SiteCooldowns.module.css';

const downloading = 'download_pending';

/** Explains why nothing is downloaded although videos are waiting, and offers a remedy. */
export function WaitingNote() {
  const { t } = useLingui();
  const isBusy = useNotices().some(({ group, api_stop: canStop }) => group.startsWith('download:') && canStop);
  const outlook = useQuery(queueEtaQuery).data;
  const settings = useQuery(settingsQuery).data;
  const schedules = useQuery(schedulesQuery).data;
  const pauses = useQuery(cooldownsQuery).data;
  const start = useAction(
    async (alwaysFromNowOn: boolean) => {
      if (alwaysFromNowOn) await call('POST /api/appsettings/config/', { body: { subscriptions: { auto_start: true } } });
      await startTask(downloading);
    },
    {
      onSettled: () => {
        void queryClient.invalidateQueries({ queryKey: ['download'] });
        void queryClient.invalidateQueries({ queryKey: ['settings'] });
      },
    },
  );
  const isRunning = isBusy || outlook?.running === true;
  const hasNote = outlook && outlook.waiting > 0 && settings && schedules && (pauses?.length ?? 0) === 0;
  const [wasVisible, setWasVisible] = useState(false);
  if (hasNote && !isRunning && !wasVisible) setWasVisible(true);
  // A run that starts leaves the note in its place, so that the queue below does not move.
  if (!hasNote || (isRunning && !wasVisible)) return null;
  const { waiting, listed_only: listedOnly } = outlook;
  const next = schedules.find(({ name }) => name === downloading)?.next_run_at;
  const isOff = !settings.subscriptions.auto_start && !next;
  const when = next && agoText(next);
  return (
    <Callout>
      <div className={styles.cooldown}>
        <p className={styles.text}>
          <span className={isRunning ? styles.replaced : undefined}>
            {listedOnly === waiting
              ? t`These videos are only listed. Their subscriptions do not download automatically.`
              : isOff
                ? t`Automatic downloads are off. The queue waits until you start it.`
                : when
                  ? t`The next scheduled download starts ${when}.`
                  : t`The queue waits until you start it. Only new uploads are downloaded automatically.`}
          </span>
          {isRunning && <span>{t`Downloads have started.`}</span>}
        </p>
        {isOff && listedOnly < waiting && (
          <Button size="s" kind="primary" disabled={isRunning} isBusy={start.isPending} onClick={() => start.mutate(true)}>
            <Trans>Turn on automatic downloads</Trans>
          </Button>
        )}
        <Button size="s" disabled={isRunning} isBusy={start.isPending} onClick={() => start.mutate(false)}>
          <Trans>Download now</Trans>
        </Button>
      </div>
    </Callout>
  );
}
