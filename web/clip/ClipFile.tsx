import { Trans, useLingui } from '@lingui/react/macro';
import { IconDownload } from '@tabler/icons-react';
import type { Clip } from '#contract/clip.ts';
import { downloadUrl } from '#web/api/paths.ts';
import { preciseTime } from '#web/format/precise-time.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { ProgressBar } from '#web/tasks/ProgressBar.tsx';
import { buttonClass } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import styles from './Clip.module.css';

/** Progress of a clip, or why there is no file. */
export function ClipState({ clip }: { clip: Clip }) {
  const { t } = useLingui();
  const { state, progress } = clip;
  if (state === 'failed') return <Callout kind="danger">{messageText(clip.why_messages, clip.why ?? '')}</Callout>;
  if (state === 'removed')
    return (
      <p>
        <Trans>The file is no longer in the cache.</Trans>
      </p>
    );
  if (state === 'done') return null;
  return (
    <div className={styles.progress}>
      <p role="status">{state === 'queued' ? <Trans>Waiting for other clips.</Trans> : <Trans>Making the clip.</Trans>}</p>
      <ProgressBar label={t`Clip`} progress={state === 'queued' ? 0 : (progress ?? undefined)} />
    </div>
  );
}

/** Where a file begins that was cut at a key frame, if that is noticeable. */
export function ActualStart({ clip: { start, actual_start: actual } }: { clip: Clip }) {
  if (actual === null || start - actual < 0.05) return null;
  const at = preciseTime(actual);
  return (
    <span>
      <Trans>Starts at {at}, at a key frame.</Trans>
    </span>
  );
}

/** A link that downloads the file of a clip. */
export const DownloadClip = ({ url, isMain = false }: { url: string; isMain?: boolean }) => (
  <a className={buttonClass(isMain ? 'primary' : 'plain', isMain ? 'm' : 's')} href={downloadUrl({ media_url: url })} download>
    <IconDownload aria-hidden />
    <span>
      <Trans>Download</Trans>
    </span>
  </a>
);
