import { useLingui } from '@lingui/react/macro';
import { BufferingIndicator } from '@videojs/react';
import {
  IconArrowsDiagonal2,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipForwardFilled,
  IconRectangle,
  IconSettings,
  IconSubtitles,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Video } from '#contract/video.ts';
import { durationText } from '#web/format/numbers.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { toggleMiniPlayer, toggleFullscreen, togglePaused, toggleTheater } from '../commands/actions.ts';
import { cycleCaptions } from '../captions/captions.ts';
import { CastButtons } from './CastButtons.tsx';
import { ChapterList } from './ChapterList.tsx';
import { ControlButton } from './ControlButton.tsx';
import { usePreferences } from '../state/player-preferences.ts';
import { usePlayer } from '../state/videojs.ts';
import { keyTarget } from '../shortcuts/key-target.ts';
import { usePlayerStore } from '../state/player-store.ts';
import { TimeBar } from './TimeBar.tsx';
import { useNextAndPrevious } from '../queue/use-neighbours.ts';
import { Volume } from './Volume.tsx';
import styles from './Controls.module.css';

const SettingsPanel = lazyComponent(async () => (await import('./SettingsPanel.tsx')).SettingsPanel);

interface Props {
  video: Video;
  element: HTMLVideoElement;
  /** An error with its remedies covers the picture. */
  hasError: boolean;
}

function Clock() {
  const now = usePlayer(({ currentTime }) => Math.floor(currentTime));
  const length = usePlayer(({ duration }) => duration);
  return (
    <span className={`${styles.clock} number`}>
      {durationText(now)} <span>/ {durationText(Number.isFinite(length) ? length : 0)}</span>
    </span>
  );
}

/** Control bar at the lower edge of the video. */
export function Controls({ video, element, hasError }: Props) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'settings' | 'chapters' | null>(null);
  const isPaused = usePlayer(({ paused }) => paused);
  const isFullscreen = usePlayer(({ fullscreen }) => fullscreen);
  const isVisible = usePlayer(({ controlsVisible }) => controlsVisible) || open !== null;
  const isTheater = usePlayerStore((state) => state.isTheater);
  const isPortrait = usePlayerStore((state) => state.isPortrait);
  const hasCaptionsOn = usePreferences(({ captions }) => captions !== null);
  const { next } = useNextAndPrevious(video);
  const toggle = (what: 'settings' | 'chapters') => () => setOpen((now) => (now === what ? null : what));
  const full = () => {
    const now = keyTarget();
    if (now) void toggleFullscreen(element, now.frame, now.fail);
  };
  return (
    <>
      <BufferingIndicator className={styles.waiting} />
      {isPaused && !hasError && (
        <button type="button" className={styles.big} tabIndex={-1} aria-hidden onClick={() => togglePaused(element)}>
          <IconPlayerPlayFilled />
        </button>
      )}
      <div className={`${styles.controls} ${isVisible ? '' : styles.hidden}`} dir="ltr" data-interactive="">
        <TimeBar video={video} />
        <div className={styles.row}>
          <ControlButton label={isPaused ? t`Play` : t`Pause`} onClick={() => togglePaused(element)}>
            {isPaused ? <IconPlayerPlayFilled /> : <IconPlayerPauseFilled />}
          </ControlButton>
          {next && (
            <ControlButton label={t`Next: ${next.title}`} onClick={() => keyTarget()?.next()}>
              <IconPlayerSkipForwardFilled />
            </ControlButton>
          )}
          <Volume />
          <Clock />
          <ChapterList video={video} element={element} isOpen={open === 'chapters'} onToggle={toggle('chapters')} />
          <span className={styles.gap} />
          {video.subtitles.length > 0 && (
            <ControlButton label={t`Captions`} isOn={hasCaptionsOn} onClick={() => cycleCaptions(element, 1)}>
              <IconSubtitles />
            </ControlButton>
          )}
          <ControlButton label={t`Player settings`} isOpen={open === 'settings'} onClick={toggle('settings')}>
            <IconSettings />
          </ControlButton>
          <CastButtons video={video} element={element} />
          {!isPortrait && (
            <>
              <ControlButton label={t`Mini player`} className={styles.wide} onClick={toggleMiniPlayer}>
                <IconPictureInPicture />
              </ControlButton>
              <ControlButton label={t`Theater mode`} isOn={isTheater} className={styles.wide} onClick={toggleTheater}>
                {isTheater ? <IconArrowsDiagonal2 /> : <IconRectangle />}
              </ControlButton>
            </>
          )}
          <ControlButton label={isFullscreen ? t`Exit full screen` : t`Full screen`} onClick={full}>
            {isFullscreen ? <IconMinimize /> : <IconMaximize />}
          </ControlButton>
        </div>
      </div>
      {open === 'settings' && <SettingsPanel video={video} element={element} onClose={() => setOpen(null)} />}
    </>
  );
}
