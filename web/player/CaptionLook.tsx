import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { decimalText } from '#web/format/numbers.ts';
import { captionOffset, moveCaptions } from './captions.ts';
import { captionColours, captionGrounds, captionSizes, choose, useChoices } from './choices.ts';
import { usePart } from './store.ts';
import styles from './SettingsPanel.module.css';

const colourNames = [msg`White`, msg`Yellow`, msg`Cyan`, msg`Green`, msg`Black`];
const groundNames = [msg`Dark`, msg`Half dark`, msg`None`, msg`Light`];

/** How captions look, and when they come. */
export function CaptionLook({ element }: { element: HTMLVideoElement }) {
  const { t } = useLingui();
  const size = useChoices((choices) => choices.captionSize);
  const colour = useChoices((choices) => choices.captionColour);
  const ground = useChoices((choices) => choices.captionGround);
  const tenths = usePart(captionOffset, (offset) => offset.tenths);
  return (
    <fieldset className={styles.group}>
      <legend>
        <Trans>Look of captions</Trans>
      </legend>
      <label className={styles.line}>
        <Trans>Size</Trans>
        <select value={size} onChange={(event) => choose({ captionSize: Number(event.target.value) })}>
          {captionSizes.map((one) => (
            <option key={one} value={one}>
              {one} %
            </option>
          ))}
        </select>
      </label>
      <label className={styles.line}>
        <Trans>Colour</Trans>
        <select value={colour} onChange={(event) => choose({ captionColour: event.target.value })}>
          {captionColours.map((one, place) => (
            <option key={one} value={one}>
              {t(colourNames[place]!)}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.line}>
        <Trans>Background</Trans>
        <select value={ground} onChange={(event) => choose({ captionGround: event.target.value })}>
          {captionGrounds.map((one, place) => (
            <option key={one} value={one}>
              {t(groundNames[place]!)}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.line}>
        <Trans>Timing</Trans>
        <span className={styles.steps}>
          <button type="button" aria-label={t`Captions earlier`} onClick={() => moveCaptions(element, -1)}>
            −
          </button>
          <span className="number">{decimalText(tenths / 10, 1)} s</span>
          <button type="button" aria-label={t`Captions later`} onClick={() => moveCaptions(element, 1)}>
            +
          </button>
        </span>
      </div>
    </fieldset>
  );
}
