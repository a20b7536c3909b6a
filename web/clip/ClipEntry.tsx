import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Clip } from '#contract/clip.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { agoText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { rangeText } from '#web/format/range-text.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { linkAt } from '#web/player/commands/actions.ts';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useCopy } from '#web/ui/copy.ts';
import { MenuItem } from '#web/ui/Menu.tsx';
import { ActualStart, ClipState, DownloadClip } from './ClipFile.tsx';
import styles from './Clip.module.css';

const reload = () => invalidateTopics('clip');

interface Props {
  clip: Clip;
  /** The time: a button that seeks, or a link to the video. */
  time(text: string): ReactNode;
  /** Title of the video, if that is not clear from its place. */
  title?: ReactNode;
}

/** A clip with its file and actions. */
export function ClipEntry({ clip, time, title }: Props) {
  const { t } = useLingui();
  const copy = useCopy();
  const unit = useConfig()?.file_size_unit;
  const { id, video, start, end, mode, state, size, media_url: url, created } = clip;
  const range = rangeText(start, end);
  const again = useAction(() => call('POST /api/clip/', { body: { video, start, end, mode } }), { onSettled: reload });
  const remove = useAction(() => call('DELETE /api/clip/:id/', { params: { id: String(id) } }), { onSettled: reload });
  return (
    <EntryRow
      name={title ?? time(range)}
      facts={
        <>
          {title && time(range)}
          <span>{mode === 'copy' ? t`Fast` : t`Exact`}</span>
          {size !== null && <span>{sizeText(size, unit)}</span>}
          <RelativeTime at={created}>{agoText(created)}</RelativeTime>
          <ActualStart clip={clip} />
        </>
      }
      more={<ClipState clip={clip} />}
    >
      <div className={styles.actions}>
        {url && <DownloadClip url={url} />}
        {(state === 'removed' || state === 'failed') && (
          <Button size="s" isBusy={again.isPending} onClick={() => again.mutate()}>
            {t`Make again`}
          </Button>
        )}
        <ActionsMenu name={range}>
          <MenuItem
            onSelect={() => void copy(linkAt({ youtube_id: video }, start, end), t`Link copied.`)}
          >{t`Copy link`}</MenuItem>
          <MenuItem isDanger onSelect={() => remove.mutate()}>{t`Delete`}</MenuItem>
        </ActionsMenu>
      </div>
    </EntryRow>
  );
}
