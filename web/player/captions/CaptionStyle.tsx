import { Trans, useLingui } from '@lingui/react/macro';
import { decimalText } from '#web/format/numbers.ts';
import { captionBackgroundNames, captionColorNames } from './caption-names.ts';
import { captionOffset, shiftCaptions } from './captions.ts';
import { captionColours, captionBackgrounds, captionSizes, setPreferences, usePreferences } from '../state/player-preferences.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import styles from '../styles/SettingsPanel.module.css';

/** Style and timing of captions. */
export function CaptionStyle({ element }: { element: HTMLVideoElement }) {
  const { t } = useLingui();
  const size = usePreferences((state) => state.captionSize);
  const colour = usePreferences((state) => state.captionColour);
  const ground = usePreferences((state) => state.captionGround);
  const tenths = useStoreValue(captionOffset, (offset) => offset.tenths);
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Caption style</Trans>
      </legend>
      <label className={styles.row}>
        <Trans>Size</Trans>
        <select value={size} onChange={(event) => setPreferences({ captionSize: Number(event.target.value) })}>
          {captionSizes.map((one) => (
            <option key={one} value={one}>
              {one} %
            </option>
          ))}
        </select>
      </label>
      <label className={styles.row}>
        <Trans>Color</Trans>
        <select value={colour} onChange={(event) => setPreferences({ captionColour: event.target.value })}>
          {captionColours.map((one, index) => (
            <option key={one} value={one}>
              {t(captionColorNames[index]!)}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.row}>
        <Trans>Background</Trans>
        <select value={ground} onChange={(event) => setPreferences({ captionGround: event.target.value })}>
          {captionBackgrounds.map((one, index) => (
            <option key={one} value={one}>
              {t(captionBackgroundNames[index]!)}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.row}>
        <Trans>Timing</Trans>
        <span className={styles.steps}>
          <button type="button" aria-label={t`Captions earlier`} onClick={() => shiftCaptions(element, -1)}>
            −
          </button>
          <span className="number">{decimalText(tenths / 10, 1)} s</span>
          <button type="button" aria-label={t`Captions later`} onClick={() => shiftCaptions(element, 1)}>
            +
          </button>
        </span>
      </div>
    </fieldset>
  );
}
