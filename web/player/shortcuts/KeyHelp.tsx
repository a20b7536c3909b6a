import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Select } from '#web/ui/Field.tsx';
import { setPreferences, shortcutScopes, usePreferences } from '../state/player-preferences.ts';
import { keyActions } from './keys.ts';
import { keyTarget } from './key-target.ts';
import styles from './KeyHelp.module.css';

const inLists: { label: string; description: MessageDescriptor }[] = [
  { label: '← ↑ → ↓', description: msg`Move between videos` },
  { label: 'Home, End', description: msg`First or last video` },
  { label: 'Enter', description: msg`Open video` },
  { label: 'W', description: msg`Mark as watched or unwatched` },
  { label: 'Q', description: msg`Add to Up next` },
  { label: 'X', description: msg`Select or deselect` },
  { label: 'Shift ←↑→↓', description: msg`Extend selection` },
  { label: 'Ctrl A (⌘ A)', description: msg`Select all on this page` },
  { label: 'Esc', description: msg`Cancel selection` },
];

const onEveryPage: typeof inLists = [
  { label: '/', description: msg`Search` },
  { label: 'Ctrl K (⌘ K)', description: msg`Open the list of commands` },
  { label: 'Shift T', description: msg`Open or close running tasks and downloads` },
  { label: 'Ctrl Z (⌘ Z)', description: msg`Undo the last action` },
  { label: 'F6', description: msg`Focus the latest notification, or go back` },
];

function Keys({ keys }: { keys: { label: string; description: MessageDescriptor }[] }) {
  const { t } = useLingui();
  const names: Record<string, string> = {
    Ctrl: t`Ctrl`,
    Shift: t`Shift`,
    Home: t({ message: 'Home', context: 'key' }),
    End: t({ message: 'End', context: 'key' }),
  };
  return (
    <dl className={styles.keys}>
      {keys.map(({ label, description }) => (
        <div key={label}>
          <dt>{label.replace(/Ctrl|Shift|Home|End/g, (key) => names[key]!)}</dt>
          <dd>{t(description)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Dialog with the available shortcuts, and the setting for single-key shortcuts. */
export function KeyHelp({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const scope = usePreferences(({ keys }) => keys);
  const names = { everywhere: t`Everywhere on the page`, player: t`Only while the player is focused`, off: t`Off` };
  const target = keyTarget();
  const working = keyActions.filter(({ isAvailable: works }) => target && (!works || works(target)));
  return (
    <Dialog title={target ? t`Player shortcuts` : t`Keyboard shortcuts`} onClose={onClose}>
      <Select
        label={t`Single-key shortcuts`}
        choices={shortcutScopes.map((value) => ({ value, label: names[value] }))}
        value={scope}
        onChange={(event) => setPreferences({ keys: event.target.value as typeof scope })}
      />
      {scope === 'off' && (
        <p className={styles.note}>
          <Trans>Arrow keys and the space bar still work while the player is focused.</Trans>
        </p>
      )}
      {/* Scrollable regions must be focusable. */}
      <div className={styles.all} role="region" aria-label={t`Keyboard shortcuts`} tabIndex={0}>
        <Keys keys={working} />
        <h3>{t`In lists, for the focused video`}</h3>
        <Keys keys={inLists} />
        <h3>{t`On every page`}</h3>
        <Keys keys={onEveryPage} />
      </div>
    </Dialog>
  );
}
