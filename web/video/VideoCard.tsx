import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { lengthText } from '#web/format/numbers.ts';
import { MoreButton, PlaylistButton, WatchedButton } from './CardActions.tsx';
import { pathOfChannel, pathOfVideo } from './paths.ts';
import { Thumbnail } from './Thumbnail.tsx';
import styles from './VideoCard.module.css';

const HoverPreview = lazy(async () => ({ default: (await import('./HoverPreview.tsx')).HoverPreview }));

export interface Choosing {
  isOn: boolean;
  isChosen: boolean;
  toggle(): void;
}

interface Props {
  video: Video;
  shape?: 'card' | 'row';
  /** Which date the list is about. */
  date?: 'published' | 'downloaded';
  isNew?: boolean;
  isEager?: boolean;
  /** In a list with keys of its own, -1 for all cards but one. */
  tabIndex?: number;
  /** Where several can be chosen. */
  choosing?: Choosing;
}

/** The box of a card, with which choosing several begins. */
function Box({ title, choosing, tabIndex }: { title: string; choosing: Choosing; tabIndex: number | undefined }) {
  const { t } = useLingui();
  return (
    <label className={`${styles.box} ${choosing.isOn ? styles.boxOn : ''}`} data-box>
      <input
        type="checkbox"
        aria-label={t`Select “${title}”`}
        checked={choosing.isChosen}
        tabIndex={tabIndex}
        onChange={choosing.toggle}
      />
    </label>
  );
}

/** One video in a list. */
export function VideoCard({ video, shape = 'card', date = 'published', isNew, isEager, tabIndex, choosing }: Props) {
  const when = date === 'downloaded' ? video.date_downloaded : video.published;
  const frame = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  const tab = tabIndex === undefined ? {} : { tabIndex };
  return (
    <article className={`${styles.card} ${styles[shape]} ${choosing?.isChosen ? styles.chosen : ''}`}>
      <div ref={frame} className={styles.frame} onPointerEnter={() => setIsOver(true)} onPointerLeave={() => setIsOver(false)}>
        <Link to={pathOfVideo(video)} tabIndex={-1} aria-hidden>
          <Thumbnail video={video} isNew={isNew === true} isEager={isEager === true} />
        </Link>
        {isOver && video.storyboard_url && (
          <Suspense>
            <HoverPreview frame={frame} url={video.storyboard_url} durationSeconds={video.player.duration} />
          </Suspense>
        )}
        {choosing && <Box title={video.title} choosing={choosing} tabIndex={tabIndex} />}
        {!choosing?.isOn && (
          <div className={styles.over}>
            <WatchedButton video={video} {...tab} />
            <PlaylistButton video={video} {...tab} />
          </div>
        )}
      </div>
      <div className={styles.below}>
        <div className={styles.words}>
          <h3 className={styles.title} title={video.title}>
            <Link to={pathOfVideo(video)} data-main {...tab}>
              <bdi>{video.title}</bdi>
            </Link>
          </h3>
          <p className={styles.channel}>
            <Link to={pathOfChannel(video.channel.channel_id)} {...tab}>
              <bdi>{video.channel.channel_name}</bdi>
            </Link>
          </p>
          <p className={styles.facts}>
            <Moment at={when}>{agoText(when)}</Moment>
            <span>{lengthText(video.player.duration)}</span>
          </p>
        </div>
        {!choosing?.isOn && <MoreButton video={video} onSelect={choosing?.toggle} {...tab} />}
      </div>
    </article>
  );
}
