import { useLingui } from '@lingui/react/macro';
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react';
import type { Notification } from '#contract/task.ts';
import { usePauseTask, useStopTask } from '#web/api/queries/download.ts';
import { Button } from '#web/ui/Button.tsx';
import { isPaused, isStopping } from './task-notice.ts';

interface Props {
  notice: Notification;
  size?: 'm' | 's';
}

/** Pauses or resumes a run. Nothing for a run that cannot be paused. */
export function PauseButton({ notice, size = 's' }: Props) {
  const { t } = useLingui();
  const pause = usePauseTask();
  if (!notice.api_pause || isStopping(notice)) return null;
  const isOn = isPaused(notice);
  const Icon = isOn ? IconPlayerPlayFilled : IconPlayerPauseFilled;
  return (
    <Button size={size} icon={<Icon aria-hidden />} onClick={() => pause.mutate({ id: notice.id, isPaused: !isOn })}>
      {isOn ? t`Resume` : t`Pause`}
    </Button>
  );
}

/** Stops a run. Nothing for a run that cannot be stopped. */
export function StopButton({ notice, size = 's' }: Props) {
  const { t } = useLingui();
  const stop = useStopTask();
  if (!notice.api_stop) return null;
  return (
    <Button
      size={size}
      icon={<IconPlayerStopFilled aria-hidden />}
      disabled={isStopping(notice)}
      onClick={() => stop.mutate(notice.id)}
    >
      {isStopping(notice) ? t`Stopping…` : t`Stop`}
    </Button>
  );
}
