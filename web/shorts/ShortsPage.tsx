import { Trans, useLingui } from '@lingui/react/macro';
import { IconChevronDown, IconChevronUp, IconMovie, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { pathOfChannel, pathOfVideo } from '#web/api/paths.ts';
import { PlayerSlot } from '#web/player/PlayerSlot.tsx';
import { mediaElement } from '#web/player/state/player-store.ts';
import { usePlayVideo } from '#web/player/state/use-play-video.ts';
import { buttonClass, IconButton } from '#web/ui/Button.tsx';
import { Callout, EmptyState } from '#web/ui/Callout.tsx';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { useTitle } from '#web/ui/use-title.ts';
import { useShorts } from './use-shorts.ts';
import { useStepGestures } from './use-step-gestures.ts';
import styles from './ShortsPage.module.css';

const slideMs = 180;

/** Slides the next short in from below, the previous one from above. */
function slideIn(stage: HTMLElement, step: 1 | -1) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  stage.animate({ translate: [`0 ${step * 30}%`, '0 0'], opacity: [0.3, 1] }, { duration: slideMs, easing: 'ease-out' });
}

function Title({ video }: { video: Video }) {
  return (
    <div className={styles.text}>
      <h1>
        <Link to={pathOfVideo(video)}>
          <bdi>{video.title}</bdi>
        </Link>
      </h1>
      <Link to={pathOfChannel(video.channel.channel_id)} className={styles.channel}>
        <bdi>{video.channel.channel_name}</bdi>
      </Link>
    </div>
  );
}

/** Upright player that steps through the shorts by swiping, wheel, keys and buttons. */
export function ShortsPage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [search, setParams] = useQueryParams();
  const { video, previous, next, isEmpty, error } = useShorts(search.get('videoId'));
  const stage = useRef<HTMLDivElement>(null);
  useTitle(video?.title ?? t`Shorts`);
  usePlayVideo(video, { startAt: null, plays: true });
  // The browser's back button leads back to where the first short was opened.
  const show = (id: string) => setParams({ videoId: id }, { replace: true, preventScrollReset: true });
  const step = (direction: 1 | -1) => {
    const target = direction === 1 ? next : previous;
    if (!target) return;
    show(target);
    slideIn(stage.current!, direction);
  };
  useStepGestures(stage, step);
  useEffect(() => {
    const box = stage.current!;
    // After the listeners of the player, which save the position at the end.
    const repeat = () =>
      setTimeout(
        () =>
          void mediaElement()
            ?.play()
            .catch(() => {}),
      );
    box.addEventListener('ended', repeat, true);
    return () => box.removeEventListener('ended', repeat, true);
  }, []);
  const close = () => void (history.state?.idx > 0 ? navigate(-1) : navigate('/'));
  return (
    <section className={styles.page} aria-label={t`Shorts`}>
      <div ref={stage} className={styles.stage} hidden={isEmpty}>
        <PlayerSlot isPortrait />
      </div>
      {isEmpty && (
        <EmptyState
          icon={<IconMovie />}
          title={t`No shorts`}
          action={
            <Link to="/" className={buttonClass()}>
              <Trans>Home</Trans>
            </Link>
          }
        />
      )}
      {!isEmpty && (
        <div className={styles.side}>
          {error && <Callout kind="danger">{error.message}</Callout>}
          {video && <Title video={video} />}
          <p className="hidden" role="status">
            {video?.title}
          </p>
          <div className={styles.buttons} role="group" aria-label={t`Shorts`}>
            <IconButton label={t`Previous short`} disabled={!previous} onClick={() => step(-1)}>
              <IconChevronUp aria-hidden />
            </IconButton>
            <IconButton label={t`Next short`} disabled={!next} onClick={() => step(1)}>
              <IconChevronDown aria-hidden />
            </IconButton>
            <IconButton label={t`Close`} onClick={close}>
              <IconX aria-hidden />
            </IconButton>
          </div>
        </div>
      )}
    </section>
  );
}
