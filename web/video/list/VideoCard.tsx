import { useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { community } from '#web/community/community.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { MoreButton, PlaylistButton, WatchedButton } from './CardActions.tsx';
import { pathOfChannel, pathOfShort, pathOfVideo } from '#web/api/paths.ts';
import { Thumbnail } from '#web/storyboard/Thumbnail.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import styles from './VideoCard.module.css';

const HoverPreview = lazyComponent(async () => (await import('#web/storyboard/HoverPreview.tsx')).HoverPreview, 'optional');

export interface CardSelection {
  isOn: boolean;
  isSelected: boolean;
  toggle(): void;
}

interface Props {
  video: Video;
  /** `portrait`: a tall card that opens the player of shorts. */
  shape?: 'card' | 'row' | 'portrait';
  /** A small thumbnail next to the title, for sections of the home page. */
  isCompact?: boolean;
  /** Date that the card shows. */
  date?: 'published' | 'downloaded';
  isNew?: boolean;
  isEager?: boolean;
  /** Roving tabindex: 0 for the active card, -1 for the others. */
  tabIndex?: number;
  /** Selection state, if videos can be selected. */
  selection?: CardSelection;
}

/** Checkbox that starts or changes a selection. */
function Box({ title, selection, tabIndex }: { title: string; selection: CardSelection; tabIndex: number | undefined }) {
  const { t } = useLingui();
  return (
    <label className={`${styles.checkbox} ${selection.isOn ? styles.checkboxVisible : ''}`} data-box>
      <input
        type="checkbox"
        aria-label={t`Select “${title}”`}
        checked={selection.isSelected}
        tabIndex={tabIndex}
        onChange={selection.toggle}
      />
    </label>
  );
}

/** Marks the card whose thumbnail becomes the player while its page opens. */
function markOpening(frame: HTMLElement) {
  for (const other of document.querySelectorAll<HTMLElement>('[data-opening]')) delete other.dataset.opening;
  frame.dataset.opening = '';
}

/** Card or row of one video. */
export function VideoCard({
  video,
  shape = 'card',
  isCompact = false,
  date = 'published',
  isNew,
  isEager,
  tabIndex,
  selection,
}: Props) {
  const path = shape === 'portrait' ? pathOfShort(video) : pathOfVideo(video);
  const when = date === 'downloaded' ? video.date_downloaded : video.published;
  const frame = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const tab = tabIndex === undefined ? {} : { tabIndex };
  const opening = {
    to: path,
    viewTransition: shape !== 'portrait' && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    onClick: () => markOpening(frame.current!),
  };
  return (
    <article
      className={`${styles.card} ${styles[shape]} ${isCompact ? styles.compact : ''} ${selection?.isSelected ? styles.selected : ''}`}
    >
      <div ref={frame} className={styles.frame} onPointerEnter={() => setIsOver(true)} onPointerLeave={() => setIsOver(false)}>
        <Link {...opening} tabIndex={-1} aria-hidden>
          <Thumbnail
            video={video}
            isNew={isNew === true}
            isEager={isEager === true}
            isPortrait={shape === 'portrait'}
            isSmall={isCompact}
          />
        </Link>
        {isOver && video.storyboard_url && shape !== 'portrait' && !isCompact && (
          <HoverPreview frame={frame} url={video.storyboard_url} durationSeconds={video.player.duration} />
        )}
        {selection && <Box title={video.title} selection={selection} tabIndex={tabIndex} />}
        {!selection?.isOn && !isCompact && (
          <div className={styles.overlay}>
            <WatchedButton video={video} {...tab} />
            <PlaylistButton video={video} {...tab} />
          </div>
        )}
      </div>
      <div className={styles.body}>
        <div className={styles.text}>
          <h3 className={styles.title} title={video.title}>
            <Link {...opening} data-main {...tab}>
              {community?.signOf(video)}
              <bdi>{video.title}</bdi>
            </Link>
          </h3>
          <p className={styles.channel}>
            <Link to={pathOfChannel(video.channel.channel_id)} {...tab}>
              <bdi>{video.channel.channel_name}</bdi>
            </Link>
          </p>
          {!isCompact && (
            <p className={styles.meta}>
              <RelativeTime at={when}>{agoText(when)}</RelativeTime>
            </p>
          )}
        </div>
        {!selection?.isOn && <MoreButton video={video} onSelect={selection?.toggle} {...tab} />}
      </div>
    </article>
  );
}
