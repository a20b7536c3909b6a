import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { choose, keyPlaces, useChoices } from './choices.ts';
import { keyActions } from './keys.ts';
import { keyTarget } from './key-target.ts';
import styles from './KeyHelp.module.css';

const inLists: { shown: string; does: MessageDescriptor }[] = [
  { shown: '← ↑ → ↓', does: msg`To the video beside, above or below` },
  { shown: 'Home, End', does: msg`To the first video, to the last` },
  { shown: 'Enter', does: msg`Open it` },
  { shown: 'W', does: msg`Mark it as watched, or not` },
  { shown: 'Q', does: msg`Add it to the queue of what plays` },
  { shown: 'X', does: msg`Select it, or not` },
  { shown: 'Shift ←↑→↓', does: msg`Select on from here` },
  { shown: 'Ctrl A (⌘ A)', does: msg`Select all that are here; then all that match are offered` },
  { shown: 'Esc', does: msg`End selecting` },
  { shown: 'Ctrl Z (⌘ Z)', does: msg`Undo what was done last` },
  { shown: 'F6', does: msg`To the notice that was shown last, and back` },
];

function Keys({ keys }: { keys: { shown: string; does: MessageDescriptor }[] }) {
  const { t } = useLingui();
  return (
    <dl className={styles.keys}>
      {keys.map(({ shown, does }) => (
        <div key={shown}>
          <dt>{shown}</dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Every key that does something just now, in the player and in lists, and where single keys work. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const place = useChoices(({ keys }) => keys);
  const names = { everywhere: t`Everywhere on the page`, player: t`Only when the player has the focus`, off: t`Off` };
  const target = keyTarget();
  const working = keyActions.filter(({ works }) => target && (!works || works(target)));
  return (
    <Dialog title={target ? t`Keys of the player` : t`Keys`} onClose={onClose}>
      <Select
        label={t`Single keys work`}
        choices={keyPlaces.map((value) => ({ value, label: names[value] }))}
        value={place}
        onChange={(event) => choose({ keys: event.target.value as typeof place })}
      />
      {place === 'off' && (
        <p className={styles.note}>
          <Trans>The arrows and the space bar still work while the player has the focus.</Trans>
        </p>
      )}
      {/* What scrolls can be scrolled by keys. */}
      <div className={styles.all} role="region" aria-label={t`Keys`} tabIndex={0}>
        <Keys keys={working} />
        <h3>{t`In lists, on the video that has the focus`}</h3>
        <Keys keys={inLists} />
      </div>
    </Dialog>
  );
}
