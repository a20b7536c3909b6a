import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { choose, keyPlaces, useChoices } from './choices.ts';
import { keyActions } from './keys.ts';
import { keyTarget } from './key-target.ts';
import styles from './KeyHelp.module.css';

/** Every key that does something just now, and where keys work. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const place = useChoices(({ keys }) => keys);
  const names = { everywhere: t`Everywhere on the page`, player: t`Only when the player has the focus`, off: t`Off` };
  const target = keyTarget();
  const working = keyActions.filter(({ works }) => target && (!works || works(target)));
  return (
    <Dialog title={t`Keys of the player`} onClose={onClose}>
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
      <dl className={styles.keys}>
        {working.map(({ shown, does }) => (
          <div key={shown}>
            <dt>{shown}</dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
