import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Video } from '#contract/video.ts';
import { copyLink, setRate, takeScreenshot, togglePictureInPicture } from './actions.ts';
import { captionTracks, chooseCaptions } from './captions.ts';
import { CaptionLook } from './CaptionLook.tsx';
import { choose, skipWays, useChoices, type SkipWay } from './choices.ts';
import { closedByEscape } from './closed-by-escape.ts';
import { usePlayer } from './engine.ts';
import { keyTarget } from './key-target.ts';
import { markLoop } from './loop.ts';
import { rates } from './rates.ts';
import { segmentKind } from './segment-names.ts';
import { wayOf } from './segments.ts';
import { sound } from './sound.ts';
import { SoundChoices } from './SoundChoices.tsx';
import { usePart } from './store.ts';
import panel from './panel.module.css';
import styles from './SettingsPanel.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  onClose(): void;
}

function Skips({ video }: { video: Video }) {
  const { t } = useLingui();
  const skips = useChoices((choices) => choices.skips);
  const categories = [...new Set(video.sponsorblock?.segments.map(({ category }) => category))];
  if (!video.sponsorblock?.is_enabled || categories.length === 0) return null;
  const names = { auto: t`Skip`, ask: t`Ask`, mark: t`Only mark`, off: t`Leave alone` };
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Marked parts</Trans>
      </legend>
      {categories.map((category) => (
        <label key={category} className={styles.line}>
          <span>{t(segmentKind(category).name)}</span>
          <select
            value={wayOf(category, skips)}
            onChange={({ target }) => choose({ skips: { ...skips, [category]: target.value as SkipWay } })}
          >
            {skipWays.map((way) => (
              <option key={way} value={way}>
                {names[way]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

/** Speed, captions, what is skipped, and what else a key does. */
export function SettingsPanel({ video, element, onClose }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLElement>(null);
  const rate = usePlayer(({ playbackRate }) => playbackRate);
  const shown = useChoices(({ captions }) => captions);
  useEffect(() => {
    box.current?.querySelector('select')?.focus();
    const onPress = ({ target: pressed }: PointerEvent) => {
      if (pressed instanceof Element && !box.current?.contains(pressed) && !pressed.closest('[aria-expanded]')) onClose();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [onClose]);
  const tracks = captionTracks(element);
  const isAlone = usePart(sound, (now) => now.isAlone);
  const run = (act: () => unknown) => () => {
    void act();
    onClose();
  };
  return (
    <section
      ref={box}
      role="dialog"
      aria-label={t`Player settings`}
      className={`${panel.panel} ${styles.settings}`}
      data-interactive=""
      onKeyDown={closedByEscape(onClose)}
    >
      <label className={styles.line}>
        <Trans>Speed</Trans>
        <select value={rate} onChange={(event) => setRate(element, Number(event.target.value))}>
          {rates.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      <SoundChoices video={video} />
      {tracks.length > 0 && (
        <label className={styles.line}>
          <Trans>Captions</Trans>
          <select
            value={tracks.some(({ language }) => language === shown) ? shown! : ''}
            onChange={(event) => chooseCaptions(element, tracks.find(({ language }) => language === event.target.value) ?? null)}
          >
            <option value="">{t`None`}</option>
            {tracks.map(({ language, label }) => (
              <option key={language} value={language}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      {tracks.length > 0 && <CaptionLook element={element} />}
      <Skips video={video} />
      <div className={styles.acts}>
        <button type="button" onClick={run(() => markLoop(element))}>
          <Trans>Loop from or to here</Trans>
        </button>
        {!isAlone && (
          <button type="button" onClick={run(() => takeScreenshot(video, element))}>
            <Trans>Save the picture</Trans>
          </button>
        )}
        <button type="button" onClick={run(() => copyLink(video, element))}>
          <Trans>Copy a link to this second</Trans>
        </button>
        {document.pictureInPictureEnabled && !isAlone && (
          <button type="button" onClick={run(() => togglePictureInPicture(element))}>
            <Trans>Picture in picture</Trans>
          </button>
        )}
        <button type="button" onClick={run(() => keyTarget()?.toggleStats())}>
          <Trans>Figures about the playback</Trans>
        </button>
        <button type="button" onClick={run(() => keyTarget()?.toggleHelp())}>
          <Trans>Keys</Trans>
        </button>
      </div>
    </section>
  );
}
