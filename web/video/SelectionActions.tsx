import { Plural, useLingui } from '@lingui/react/macro';
import {
  IconCircleCheck,
  IconCircleDashedCheck,
  IconPlaylistAdd,
  IconRefresh,
  IconLock,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sizeText } from '#web/format/numbers.ts';
import { AddAllToPlaylist } from '#web/playlist/AddAllToPlaylist.tsx';
import { AddToPlaylist } from '#web/playlist/AddToPlaylist.tsx';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { useConfig, useIsStaff } from '#web/user/queries.ts';
import { AskForAll } from './AskForAll.tsx';
import { bytesOf } from './bytes.ts';
import { DeleteVideos } from './DeleteVideos.tsx';
import { useKeep } from './keep.ts';
import { matchingQuery, type ForAll } from './matching.ts';
import { useMarkAllWatched, type VideoFilter } from './queries.ts';
import { useRedownload } from './redownload.ts';
import type { Selection } from './selection.ts';
import styles from './SelectionActions.module.css';

/** What is chosen, and of what. */
export interface OfList {
  selection: Selection;
  /** The list that it is chosen of, and how many there are in all. */
  filter: VideoFilter;
  total: number;
}

/** How many are chosen, and how much that is; of everything that matches the server says it. */
function Chosen({ selection, filter, total }: OfList) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { isEverything, chosen } = selection;
  const { data } = useQuery({ ...matchingQuery(filter), enabled: isEverything });
  if (isEverything) {
    const count = data?.videos ?? total;
    const size = data && sizeText(data.media_size, unit);
    return size ? (
      <Plural value={count} one={`# that matches · ${size}`} other={`All # that match · ${size}`} />
    ) : (
      <Plural value={count} one="# that matches" other="All # that match" />
    );
  }
  const size = sizeText(bytesOf([...chosen.values()]), unit);
  if (chosen.size === 0) return t`Choose videos`;
  return <Plural value={chosen.size} one={`# selected · ${size}`} other={`# selected · ${size}`} />;
}

/** The bar below the list while several are chosen: how many, how much, and what can be done with them. */
export function SelectionActions({ selection, filter, total }: OfList) {
  const { t } = useLingui();
  const { chosen, isEverything, isWholePage, all, everything, end } = selection;
  const videos = [...chosen.values()];
  const isStaff = useIsStaff();
  const mark = useMarkAllWatched();
  const keep = useKeep();
  const redownload = useRedownload();
  const [asks, setAsks] = useState<ForAll | 'playlist' | null>(null);
  const isNone = videos.length === 0 && !isEverything;
  const offersAll = !isEverything && isWholePage && total > videos.length;
  /** With some it is done at once, where nothing is lost; with everything that matches after a question. */
  const button = (what: ForAll, label: string, icon: ReactNode, work?: () => void) => (
    <Button
      size="s"
      {...(what === 'delete' && { kind: 'danger' })}
      disabled={isNone}
      isBusy={(what === 'redownload' && redownload.isPending) || (what === 'keep' && keep.isPending)}
      icon={icon}
      onClick={() => (isEverything || !work ? setAsks(what) : work())}
    >
      {label}
    </Button>
  );
  const closed = () => setAsks(null);
  return (
    <div className={styles.bar} role="toolbar" aria-label={t`Selected videos`}>
      <IconButton label={t`End selecting`} onClick={end}>
        <IconX aria-hidden />
      </IconButton>
      <p className={`${styles.count} number`} role="status">
        <Chosen selection={selection} filter={filter} total={total} />
      </p>
      {offersAll ? (
        <Button size="s" kind="quiet" onClick={everything}>
          <Plural value={total} one="Select # that matches" other="Select all # that match" />
        </Button>
      ) : (
        !isEverything && <Button size="s" kind="quiet" onClick={all}>{t`Select all`}</Button>
      )}
      <span className={styles.actions}>
        {button('watched', t`Watched`, <IconCircleCheck aria-hidden />, () => mark(videos, true, end))}
        {button('unwatched', t`Not watched`, <IconCircleDashedCheck aria-hidden />, () => mark(videos, false, end))}
        <Button
          size="s"
          disabled={isNone}
          icon={<IconPlaylistAdd aria-hidden />}
          onClick={() => setAsks('playlist')}
        >{t`Add to playlist`}</Button>
        {isStaff && (
          <>
            {button('redownload', t`Redownload`, <IconRefresh aria-hidden />, () =>
              redownload.mutate(videos, { onSuccess: end }),
            )}
            {button('keep', t`Keep`, <IconLock aria-hidden />, () => keep.mutate(videos, { onSuccess: end }))}
            {button('delete', t`Delete`, <IconTrash aria-hidden />)}
          </>
        )}
      </span>
      {asks === 'playlist' && isEverything && <AddAllToPlaylist filter={filter} total={total} onClose={closed} onDone={end} />}
      {asks === 'playlist' && !isEverything && <AddToPlaylist videos={videos} onClose={closed} />}
      {asks === 'delete' && !isEverything && <DeleteVideos videos={videos} onClose={closed} onDone={end} />}
      {asks && asks !== 'playlist' && isEverything && <AskForAll what={asks} filter={filter} onClose={closed} onDone={end} />}
    </div>
  );
}
