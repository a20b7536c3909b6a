import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { keep, readKept } from '#web/ui/kept.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useAdd } from './queries.ts';
import styles from './AddBox.module.css';

const kept = 'reelkeep.add-box';

/** Where links go in. What is typed outlives a session that runs out, and a page that is loaded again. */
export function AddBox() {
  const { t } = useLingui();
  const [text, setText] = useState(() => readKept(kept, 'tab') ?? '');
  const [startsAtOnce, setStartsAtOnce] = useState(true);
  const [isFast, setIsFast] = useState(false);
  const say = useToast();
  const add = useAdd();
  useEffect(() => keep(kept, text || null, 'tab'), [text]);
  const submit = () => {
    if (text.trim() === '') return;
    add.mutate(
      { text, autostart: startsAtOnce, flat: isFast },
      {
        onSuccess: () => {
          setText('');
          say(t`Looking it up. It appears below in a moment.`);
        },
      },
    );
  };
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor="add-box" className={styles.label}>
        <Trans>Paste links: videos, channels, playlists, @handles, or any page with a video</Trans>
      </label>
      <textarea
        id="add-box"
        className={styles.text}
        rows={2}
        value={text}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      <div className={styles.below}>
        <div className={styles.switches}>
          <Switch label={t`Start at once`} isOn={startsAtOnce} onChange={setStartsAtOnce} />
          <Switch label={t`Fast add`} help={t`Long lists: details come with the download`} isOn={isFast} onChange={setIsFast} />
        </div>
        <Button type="submit" kind="primary" icon={<IconPlus aria-hidden />} isBusy={add.isPending} disabled={text.trim() === ''}>
          <Trans>Add</Trans>
        </Button>
      </div>
    </form>
  );
}
