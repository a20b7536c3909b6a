import { IconPlus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './LinesBox.module.css';

/** A box for one or several lines, with the one thing to do with them. Emptied once that was taken. */
export function LinesBox({
  label,
  action,
  onSubmit,
}: {
  label: string;
  action: string;
  onSubmit(lines: string[]): Promise<unknown>;
}) {
  const [text, setText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const id = useId();
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const submit = async () => {
    if (lines.length === 0 || isBusy) return;
    setIsBusy(true);
    try {
      await onSubmit(lines);
      setText('');
    } catch {
      // What went wrong was said by whoever was asked; what was typed stays.
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.row}>
        <textarea
          id={id}
          className={styles.text}
          rows={1}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
          }}
        />
        <Button type="submit" kind="primary" icon={<IconPlus aria-hidden />} isBusy={isBusy} disabled={lines.length === 0}>
          {action}
        </Button>
      </div>
    </form>
  );
}
