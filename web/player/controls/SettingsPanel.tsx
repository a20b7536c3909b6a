import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Video } from '#contract/video.ts';
import { copyLink, setRate, takeScreenshot, togglePictureInPicture } from '../commands/actions.ts';
import { captionTracks, selectCaptions } from '../captions/captions.ts';
import { CaptionStyle } from '../captions/CaptionStyle.tsx';
import { setPreferences, skipModes, usePreferences, type SkipMode } from '../state/player-preferences.ts';
import { closeOnEscape } from '../shortcuts/close-on-escape.ts';
import { usePlayer } from '../state/videojs.ts';
import { keyTarget } from '../shortcuts/key-target.ts';
import { cycleLoop } from '../playback/loop.ts';
import { rates } from '../commands/rates.ts';
import { segmentKind } from '../segments/segment-names.ts';
import { skipModeOf } from '../segments/segments.ts';
import { audioSource } from '../audio/audio-source.ts';
import { PlaybackReasons } from '../playback/PlaybackReasons.tsx';
import { QualitySettings } from './QualitySettings.tsx';
import { AudioSettings } from '../audio/AudioSettings.tsx';
import { useStoreValue } from '#web/ui/create-store.ts';
import { Sheet, useHasSheets } from '#web/ui/Sheet.tsx';
import panel from '../styles/panel.module.css';
import styles from '../styles/SettingsPanel.module.css';

interface Props {
  video: Video;
  element: HTMLVideoElement;
  onClose(): void;
}

function SkipSettings({ video }: { video: Video }) {
  const { t } = useLingui();
  const skips = usePreferences((state) => state.skips);
  const categories = [...new Set(video.sponsorblock?.segments.map(({ category }) => category))];
  if (!video.sponsorblock?.is_enabled || categories.length === 0) return null;
  const names = { auto: t`Skip`, ask: t`Ask`, mark: t`Mark only`, off: t`Ignore` };
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>SponsorBlock segments</Trans>
      </legend>
      {categories.map((category) => (
        <label key={category} className={styles.row}>
          <span>{t(segmentKind(category).name)}</span>
          <select
            value={skipModeOf(category, skips)}
            onChange={({ target }) => setPreferences({ skips: { ...skips, [category]: target.value as SkipMode } })}
          >
            {skipModes.map((mode) => (
              <option key={mode} value={mode}>
                {names[mode]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}

/** Settings of the player: speed, captions, segments and further actions. */
function Settings({ video, element, onClose }: Props) {
  const { t } = useLingui();
  const rate = usePlayer(({ playbackRate }) => playbackRate);
  const captionLanguage = usePreferences(({ captions }) => captions);
  const tracks = captionTracks(element);
  const isAudioOnly = useStoreValue(audioSource, (now) => now.isAudioOnly);
  const run = (act: () => unknown) => () => {
    void act();
    onClose();
  };
  return (
    <div className={styles.settings}>
      <label className={styles.row}>
        <Trans>Speed</Trans>
        <select value={rate} onChange={(event) => setRate(element, Number(event.target.value))}>
          {rates.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      {!isAudioOnly && <QualitySettings video={video} />}
      <AudioSettings video={video} />
      <PlaybackReasons video={video} />
      {tracks.length > 0 && (
        <label className={styles.row}>
          <Trans>Captions</Trans>
          <select
            value={tracks.some(({ language }) => language === captionLanguage) ? captionLanguage! : ''}
            onChange={(event) => selectCaptions(element, tracks.find(({ language }) => language === event.target.value) ?? null)}
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
      {tracks.length > 0 && <CaptionStyle element={element} />}
      <SkipSettings video={video} />
      <div className={styles.actions}>
        <button type="button" onClick={run(() => cycleLoop(element))}>
          <Trans>Set loop start or end</Trans>
        </button>
        {!isAudioOnly && (
          <button type="button" onClick={run(() => takeScreenshot(video, element))}>
            <Trans>Save screenshot</Trans>
          </button>
        )}
        <button type="button" onClick={run(() => copyLink(video, element))}>
          <Trans>Copy link at current time</Trans>
        </button>
        {document.pictureInPictureEnabled && !isAudioOnly && (
          <button type="button" onClick={run(() => togglePictureInPicture(element))}>
            <Trans>Picture-in-picture</Trans>
          </button>
        )}
        <button type="button" onClick={run(() => keyTarget()?.toggleStats())}>
          <Trans>Playback stats</Trans>
        </button>
        <button type="button" onClick={run(() => keyTarget()?.toggleHelp())}>
          <Trans>Keyboard shortcuts</Trans>
        </button>
      </div>
    </div>
  );
}

/** Panel above the controls. */
function Panel(props: Props) {
  const { t } = useLingui();
  const { onClose } = props;
  const panelRef = useRef<HTMLElement>(null);
  useEffect(() => {
    panelRef.current?.querySelector('select')?.focus();
    const onPress = ({ target: pressed }: PointerEvent) => {
      if (pressed instanceof Element && !panelRef.current?.contains(pressed) && !pressed.closest('[aria-expanded]')) onClose();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [onClose]);
  return (
    <section
      ref={panelRef}
      role="dialog"
      aria-label={t`Player settings`}
      data-theme="dark"
      className={panel.panel}
      data-interactive=""
      onKeyDown={closeOnEscape(onClose)}
    >
      <Settings {...props} />
    </section>
  );
}

/** The settings in a panel, or in a sheet on phones, where the player is too small for them. */
export function SettingsPanel(props: Props) {
  const { t } = useLingui();
  if (!useHasSheets()) return <Panel {...props} />;
  return (
    <Sheet title={t`Player settings`} onClose={props.onClose}>
      <Settings {...props} />
    </Sheet>
  );
}
