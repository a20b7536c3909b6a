import { Plural, useLingui } from '@lingui/react/macro';
import {
  IconCircleCheck,
  IconCircleDashedCheck,
  IconLanguage,
  IconPlaylistAdd,
  IconRefresh,
  IconLock,
  IconTag,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sizeText } from '#web/format/numbers.ts';
import { AddAllToPlaylist } from '#web/add-to-playlist/AddAllToPlaylist.tsx';
import { AddToPlaylist } from '#web/add-to-playlist/AddToPlaylist.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useConfig, useIsStaff } from '#web/api/account.ts';
import { BulkActionDialog } from './BulkActionDialog.tsx';
import { totalBytes } from '#web/format/bytes.ts';
import { DeleteVideo } from '../actions/DeleteVideo.tsx';
import { DeleteVideos } from '../actions/DeleteVideos.tsx';
import { useProtect } from '../actions/use-protect.ts';
import { bulkSummaryQuery, type BulkAction } from './bulk-actions.ts';
import { useMarkAllWatched, type VideoFilter } from '#web/api/queries/video.ts';
import { useRedownload } from '../actions/redownload.ts';
import type { Selection } from './selection.ts';
import styles from './SelectionActions.module.css';

const TagVideos = lazyComponent(async () => (await import('#web/tag/TagVideos.tsx')).TagVideos);

const FetchSoundsDialog = lazyComponent(async () => (await import('../sounds/FetchSoundsDialog.tsx')).FetchSoundsDialog);

/** Selection and the list it belongs to. */
export interface SelectionProps {
  selection: Selection;
  /** Filter of the list, and the number of its matches. */
  filter: VideoFilter;
  total: number;
}

/** Number and size of the selected videos. If all matches are selected, the server counts them. */
function SelectionSummary({ selection, filter, total }: SelectionProps) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { includesAllMatches, videos: selected } = selection;
  const { data } = useQuery({ ...bulkSummaryQuery(filter), enabled: includesAllMatches });
  if (includesAllMatches) {
    const count = data?.videos ?? total;
    const size = data && sizeText(data.media_size, unit);
    return size ? (
      <Plural value={count} one={`# match · ${size}`} other={`All # matches · ${size}`} />
    ) : (
      <Plural value={count} one="# match" other="All # matches" />
    );
  }
  const size = sizeText(totalBytes([...selected.values()]), unit);
  if (selected.size === 0) return t`Select videos`;
  return <Plural value={selected.size} one={`# selected · ${size}`} other={`# selected · ${size}`} />;
}

/** Toolbar for the selected videos. */
export function SelectionActions({ selection, filter, total }: SelectionProps) {
  const { t } = useLingui();
  const { videos: selected, includesAllMatches, isWholePage, selectLoaded, selectAllMatches, end } = selection;
  const videos = [...selected.values()];
  const single = videos.length === 1 ? videos[0] : undefined;
  const isStaff = useIsStaff();
  const markWatched = useMarkAllWatched();
  const protect = useProtect();
  const redownload = useRedownload();
  const [openDialog, setOpenDialog] = useState<BulkAction | 'playlist' | 'tag' | 'sounds' | null>(null);
  const isNone = videos.length === 0 && !includesAllMatches;
  const offersAll = !includesAllMatches && isWholePage && total > videos.length;
  /** Actions on selected videos run at once if nothing is lost; actions on all matches ask first. */
  const button = (what: BulkAction, label: string, icon: ReactNode, work?: () => void) => (
    <Button
      size="s"
      {...(what === 'delete' && { kind: 'danger' })}
      disabled={isNone}
      isBusy={(what === 'redownload' && redownload.isPending) || (what === 'keep' && protect.isPending)}
      icon={icon}
      onClick={() => (includesAllMatches || !work ? setOpenDialog(what) : work())}
    >
      {label}
    </Button>
  );
  const closeDialog = () => setOpenDialog(null);
  return (
    <div className={styles.bar} data-selection-bar role="toolbar" aria-label={t`Selected videos`}>
      <IconButton label={t`Cancel selection`} onClick={end}>
        <IconX aria-hidden />
      </IconButton>
      <p className={`${styles.count} number`} role="status">
        <SelectionSummary selection={selection} filter={filter} total={total} />
      </p>
      {offersAll ? (
        <Button size="s" kind="quiet" onClick={selectAllMatches}>
          <Plural value={total} one="Select # match" other="Select all # matches" />
        </Button>
      ) : (
        !includesAllMatches && <Button size="s" kind="quiet" onClick={selectLoaded}>{t`Select all`}</Button>
      )}
      <span className={styles.actions}>
        {button('watched', t`Watched`, <IconCircleCheck aria-hidden />, () => markWatched(videos, true, end))}
        {button('unwatched', t`Unwatched`, <IconCircleDashedCheck aria-hidden />, () => markWatched(videos, false, end))}
        <Button
          size="s"
          disabled={isNone}
          icon={<IconPlaylistAdd aria-hidden />}
          onClick={() => setOpenDialog('playlist')}
        >{t`Add to playlist`}</Button>
        <Button size="s" disabled={isNone} icon={<IconTag aria-hidden />} onClick={() => setOpenDialog('tag')}>{t`Tag…`}</Button>
        {isStaff && (
          <>
            {button('redownload', t`Redownload`, <IconRefresh aria-hidden />, () =>
              redownload.mutate(videos, { onSuccess: end }),
            )}
            <IconButton label={t`Fetch more languages…`} disabled={isNone} onClick={() => setOpenDialog('sounds')}>
              <IconLanguage aria-hidden />
            </IconButton>
            {button('keep', t`Protect`, <IconLock aria-hidden />, () => protect.mutate(videos, { onSuccess: end }))}
            {button('delete', t`Delete`, <IconTrash aria-hidden />)}
          </>
        )}
      </span>
      {openDialog === 'playlist' && includesAllMatches && (
        <AddAllToPlaylist filter={filter} total={total} onClose={closeDialog} onDone={end} />
      )}
      {openDialog === 'playlist' && !includesAllMatches && <AddToPlaylist videos={videos} onClose={closeDialog} />}
      {openDialog === 'tag' && (
        <TagVideos
          videos={includesAllMatches ? filter : videos.map(({ youtube_id: id }) => id)}
          onClose={closeDialog}
          onDone={end}
        />
      )}
      {openDialog === 'sounds' && (
        <FetchSoundsDialog
          videos={includesAllMatches ? { filter, total } : videos.map(({ youtube_id: id }) => id)}
          onClose={closeDialog}
          onDone={end}
        />
      )}
      {openDialog === 'delete' && !includesAllMatches && single && (
        <DeleteVideo video={single} onClose={closeDialog} onDeleted={end} />
      )}
      {openDialog === 'delete' && !includesAllMatches && !single && (
        <DeleteVideos videos={videos} onClose={closeDialog} onDone={end} />
      )}
      {openDialog && openDialog !== 'playlist' && openDialog !== 'tag' && openDialog !== 'sounds' && includesAllMatches && (
        <BulkActionDialog what={openDialog} filter={filter} onClose={closeDialog} onDone={end} />
      )}
    </div>
  );
}
