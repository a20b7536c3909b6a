import { Plural, useLingui } from '@lingui/react/macro';
import { IconCircleCheck, IconCircleDashedCheck, IconPlaylistAdd, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { sizeText } from '#web/format/numbers.ts';
import { AddToPlaylist } from '#web/playlist/AddToPlaylist.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { useConfig, useIsStaff } from '#web/user/queries.ts';
import { bytesOf } from './bytes.ts';
import { DeleteVideos } from './DeleteVideos.tsx';
import { useMarkAllWatched } from './queries.ts';
import { useRedownload } from './redownload.ts';
import type { Selection } from './selection.ts';
import styles from './SelectionActions.module.css';

/** The bar below the list while several are chosen: how many, how much, and what can be done with them. */
export function SelectionActions({ selection }: { selection: Selection }) {
  const { t } = useLingui();
  const { chosen, all, end } = selection;
  const videos = [...chosen.values()];
  const isStaff = useIsStaff();
  const unit = useConfig()?.file_size_unit;
  const mark = useMarkAllWatched();
  const redownload = useRedownload();
  const [asks, setAsks] = useState<'playlist' | 'delete' | null>(null);
  const isNone = videos.length === 0;
  const size = sizeText(bytesOf(videos), unit);
  const finish = (work: () => void) => () => {
    work();
    end();
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={t`Selected videos`}>
      <IconButton label={t`End selecting`} onClick={end}>
        <IconX aria-hidden />
      </IconButton>
      <p className={`${styles.count} number`} role="status">
        {isNone ? t`Choose videos` : <Plural value={videos.length} one={`# selected · ${size}`} other={`# selected · ${size}`} />}
      </p>
      <Button size="s" kind="quiet" onClick={all}>
        {t`Select all`}
      </Button>
      <span className={styles.actions}>
        <Button
          size="s"
          disabled={isNone}
          icon={<IconCircleCheck aria-hidden />}
          onClick={finish(() => mark(videos, true))}
        >{t`Watched`}</Button>
        <Button
          size="s"
          disabled={isNone}
          icon={<IconCircleDashedCheck aria-hidden />}
          onClick={finish(() => mark(videos, false))}
        >{t`Not watched`}</Button>
        <Button
          size="s"
          disabled={isNone}
          icon={<IconPlaylistAdd aria-hidden />}
          onClick={() => setAsks('playlist')}
        >{t`Add to playlist`}</Button>
        {isStaff && (
          <>
            <Button
              size="s"
              disabled={isNone}
              isBusy={redownload.isPending}
              icon={<IconRefresh aria-hidden />}
              onClick={() => redownload.mutate(videos, { onSuccess: end })}
            >{t`Redownload`}</Button>
            <Button
              size="s"
              kind="danger"
              disabled={isNone}
              icon={<IconTrash aria-hidden />}
              onClick={() => setAsks('delete')}
            >{t`Delete`}</Button>
          </>
        )}
      </span>
      {asks === 'playlist' && <AddToPlaylist videos={videos} onClose={() => setAsks(null)} />}
      {asks === 'delete' && <DeleteVideos videos={videos} onClose={() => setAsks(null)} onDone={end} />}
    </div>
  );
}
