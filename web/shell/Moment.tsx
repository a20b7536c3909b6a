import { useLingui } from '@lingui/react/macro';
import type { SpokenHit } from '#contract/search.ts';
import { parseHighlights, startAtMatch } from '#web/search/highlight.ts';
import { MarkedText } from '#web/search/MarkedText.tsx';
import { MomentPicture } from '#web/search/MomentPicture.tsx';
import styles from './Moment.module.css';

/** A spoken moment in the list of the palette. */
export function Moment({ hit, time }: { hit: SpokenHit; time: string }) {
  const { t } = useLingui();
  return (
    <span className={styles.moment}>
      <span className={styles.picture}>
        <MomentPicture hit={hit} />
      </span>
      <span className={styles.words}>
        <span className={styles.line} lang={hit.subtitle_lang} dir="auto">
          <MarkedText segments={startAtMatch(parseHighlights(hit.subtitle_line))} />
        </span>
        <span className={styles.facts}>
          <span className="number">{time}</span> · <bdi>{hit.title}</bdi>
          <kbd className={styles.hint}>{t`Shift + Enter: play here`}</kbd>
        </span>
      </span>
    </span>
  );
}
