import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { splitLines, useFailedLines } from '#web/runs/use-failed-lines.ts';
import { Button } from '#web/ui/Button.tsx';
import { FailedLines } from '#web/ui/FailedLines.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useOpenArchived } from '#web/video/actions/open-archived.ts';
import { useAddToQueue } from '../api/queries/download.ts';
import styles from './AddBox.module.css';

const storageKey = 'reelkeep.add-box';

/**
 * Form that adds links to the queue. Its text survives an expired session and a page reload. `before` runs first, and prevents
 * adding if it throws.
 */
export function AddBox({ before }: { before?: () => Promise<unknown> }) {
  const { t } = useLingui();
  const [text, setText] = useState(() => getStored(storageKey, 'tab') ?? '');
  const [startsImmediately, setStartsImmediately] = useState(true);
  const [isFast, setIsFast] = useState(false);
  const showToast = useToast();
  const add = useAddToQueue();
  const openArchived = useOpenArchived();
  const restoreFailedLines = useCallback((lines: string[]) => setText((now) => [...lines, ...splitLines(now)].join('\n')), []);
  const { failed, follow } = useFailedLines(restoreFailedLines);
  useEffect(() => setStored(storageKey, text || null, 'tab'), [text]);
  const submit = async () => {
    if (text.trim() === '') return;
    try {
      await before?.();
    } catch {
      return; // the caller reports it
    }
    if (await openArchived(splitLines(text))) return setText('');
    add.mutate(
      { text, autostart: startsImmediately, flat: isFast },
      {
        onSuccess: ({ task_id: id }) => {
          follow(id, splitLines(text));
          setText('');
          showToast(t`Looking up the links…`);
        },
      },
    );
  };
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor="add-box" className={styles.label}>
        <Trans>Paste links to videos, channels or playlists – one per line</Trans>
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
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
        }}
      />
      <FailedLines failed={failed} />
      <div className={styles.footer}>
        <div className={styles.switches}>
          <Switch label={t`Download immediately`} isOn={startsImmediately} onChange={setStartsImmediately} />
          <Switch
            label={t`Quick add`}
            help={t`Skips details until download; best for long lists`}
            isOn={isFast}
            onChange={setIsFast}
          />
        </div>
        <Button type="submit" kind="primary" icon={<IconPlus aria-hidden />} isBusy={add.isPending} disabled={text.trim() === ''}>
          <Trans>Add</Trans>
        </Button>
      </div>
    </form>
  );
}
