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
import { toggleCorner, toggleFullscreen, togglePaused, toggleTheatre } from './actions.ts';
import { cycleCaptions } from './captions.ts';
import { CastButtons } from './CastButtons.tsx';
import { ChapterList } from './ChapterList.tsx';
import { ControlButton } from './ControlButton.tsx';
import { useChoices } from './choices.ts';
import { usePlayer } from './engine.ts';
import { keyTarget } from './key-target.ts';
import { SettingsPanel } from './SettingsPanel.tsx';
import { useStage } from './stage.ts';
import { TimeBar } from './TimeBar.tsx';
import { useBeside } from './use-neighbours.ts';
import { Volume } from './Volume.tsx';
import styles from './Controls.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
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

/** What lies at the lower edge of the picture while somebody moves. */
export function Controls({ video, element }: Props) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'settings' | 'chapters' | null>(null);
  const isPaused = usePlayer(({ paused }) => paused);
  const isFullscreen = usePlayer(({ fullscreen }) => fullscreen);
  const isVisible = usePlayer(({ controlsVisible }) => controlsVisible) || open !== null;
  const isTheatre = useStage((stage) => stage.isTheatre);
  const hasCaptionsOn = useChoices(({ captions }) => captions !== null);
  const { next } = useBeside(video);
  const toggle = (what: 'settings' | 'chapters') => () => setOpen((now) => (now === what ? null : what));
  const full = () => {
    const now = keyTarget();
    if (now) void toggleFullscreen(element, now.frame, now.fail);
  };
  return (
    <>
      <BufferingIndicator className={styles.waiting} />
      {isPaused && (
        <button type="button" className={styles.big} tabIndex={-1} aria-hidden onClick={() => togglePaused(element)}>
          <IconPlayerPlayFilled />
        </button>
      )}
      <div className={`${styles.controls} ${isVisible ? '' : styles.away}`} dir="ltr" data-interactive="">
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
          <ControlButton label={t`Into the corner`} className={styles.wide} onClick={toggleCorner}>
            <IconPictureInPicture />
          </ControlButton>
          <ControlButton label={t`Theatre`} isOn={isTheatre} className={styles.wide} onClick={toggleTheatre}>
            {isTheatre ? <IconArrowsDiagonal2 /> : <IconRectangle />}
          </ControlButton>
          <ControlButton label={isFullscreen ? t`Leave full screen` : t`Full screen`} onClick={full}>
            {isFullscreen ? <IconMinimize /> : <IconMaximize />}
          </ControlButton>
        </div>
      </div>
      {open === 'settings' && <SettingsPanel video={video} element={element} onClose={() => setOpen(null)} />}
    </>
  );
}
