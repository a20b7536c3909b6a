import { useLingui } from '@lingui/react/macro';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import type { Video } from '#contract/video.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { isNewSince } from '#web/video/list-view/list-props.ts';
import { VideoCard } from '#web/video/list/VideoCard.tsx';
import styles from './Home.module.css';

interface Props {
  id: string;
  title: string;
  /** Address of the full list. */
  path: string;
  videos: Video[];
  isPortrait: boolean;
  newSince: number | undefined;
}

const indexOf = (target: EventTarget) => Number((target as Element).closest('[data-at]')?.getAttribute('data-at') ?? 0);

/** Whether a strip can be scrolled to its start and to its end. */
function useScrollEnds() {
  const ref = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ hasBefore: false, hasAfter: false });
  useEffect(() => {
    const strip = ref.current!;
    const update = () => {
      const from = Math.abs(strip.scrollLeft);
      setEnds({ hasBefore: from > 1, hasAfter: from + strip.clientWidth < strip.scrollWidth - 1 });
    };
    const observer = new ResizeObserver(update);
    observer.observe(strip);
    strip.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      strip.removeEventListener('scroll', update);
    };
  }, []);
  return { ref, ...ends };
}

/** A row of videos that scrolls sideways. One of its cards is reachable by Tab, the others by arrow keys. */
export function HomeSection({ id, title, path, videos, isPortrait, newSince }: Props) {
  const { t } = useLingui();
  const { ref, hasBefore, hasAfter } = useScrollEnds();
  const [focused, setFocused] = useState(0);
  const active = Math.min(focused, videos.length - 1);
  const isMirrored = () => getComputedStyle(ref.current!).direction === 'rtl';
  const scroll = (pages: 1 | -1) =>
    ref.current!.scrollBy({ left: (isMirrored() ? -pages : pages) * ref.current!.clientWidth * 0.9 });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.altKey || event.ctrlKey || event.metaKey ? 0 : ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0);
    if (step === 0) return;
    event.preventDefault();
    const next = indexOf(event.target) + (isMirrored() ? -step : step);
    ref.current!.querySelector<HTMLElement>(`[data-at="${next}"] [data-main]`)?.focus();
  };
  return (
    <section className={styles.row} aria-labelledby={`section-${id}`}>
      <div className={styles.rowHead}>
        <h2 id={`section-${id}`}>
          <bdi>{title}</bdi>
        </h2>
        <Link to={path} className={styles.all} aria-label={t`Show all: ${title}`}>
          {t`Show all`}
        </Link>
        {(hasBefore || hasAfter) && (
          <div className={styles.arrows}>
            <IconButton label={t`Scroll back: ${title}`} title={t`Back`} disabled={!hasBefore} onClick={() => scroll(-1)}>
              <IconChevronLeft aria-hidden />
            </IconButton>
            <IconButton label={t`Scroll forward: ${title}`} title={t`More`} disabled={!hasAfter} onClick={() => scroll(1)}>
              <IconChevronRight aria-hidden />
            </IconButton>
          </div>
        )}
      </div>
      <ul
        ref={ref}
        className={`${styles.strip} ${isPortrait ? styles.portrait : ''}`}
        onFocus={(event: FocusEvent) => setFocused(indexOf(event.target))}
        onKeyDown={onKeyDown}
      >
        {videos.map((video, index) => (
          <li key={video.youtube_id} data-at={index}>
            <VideoCard
              video={video}
              shape={isPortrait ? 'portrait' : 'card'}
              isCompact
              isNew={isNewSince(video, newSince)}
              tabIndex={index === active ? 0 : -1}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
