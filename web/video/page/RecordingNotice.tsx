import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconBroadcast } from '@tabler/icons-react';
import type { Video } from '#contract/video.ts';
import { dateTimeText } from '#web/format/dates.ts';
import { durationText, lengthText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import styles from './UpgradeNotice.module.css';

const maxListed = 10;

/** Says that a file is the recording of a stream, and what it lacks. */
export function RecordingNotice({
  recording: { started_at: startedAt, ended_early: reason, gaps },
  onSeek,
}: {
  recording: NonNullable<Video['recording']>;
  onSeek(seconds: number): void;
}) {
  const { t } = useLingui();
  const reasons = {
    'disk-full': t`The recording ended before the stream, because the disk was nearly full.`,
    'too-long': t`The recording ended before the stream, at the limit in the settings.`,
    stopped: t`The recording was stopped before the stream ended.`,
    'no-more': t`The site sent nothing new for a long time, so the end may be missing.`,
  };
  const more = gaps.length - maxListed;
  return (
    <div className={styles.notice}>
      <IconBroadcast aria-hidden />
      <span>
        {startedAt === null ? t`Recorded live.` : t`Recorded live on ${dateTimeText(startedAt)}.`} {reason && reasons[reason]}{' '}
        {gaps.length > 0 && <Trans>Missing parts:</Trans>}
      </span>
      {gaps.slice(0, maxListed).map(({ start, seconds }) => (
        <Button key={start} size="s" kind="quiet" onClick={() => onSeek(start)}>
          {t`${durationText(start)} (${lengthText(seconds)})`}
        </Button>
      ))}
      {more > 0 && <Plural value={more} one="and # other" other="and # others" />}
    </div>
  );
}
