import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { Button } from './Button.tsx';
import { FailedLines } from './FailedLines.tsx';
import styles from './AutoGrowTextArea.module.css';

/** A form with one item per line. The caller owns `text` and clears it when the lines were accepted. */
export function AutoGrowTextArea({
  label,
  action,
  text,
  failed,
  isBusy,
  onText,
  onSubmit,
}: {
  label: string;
  action: string;
  text: string;
  /** Lines rejected by the last submit. */
  failed: { line: string; reason: string }[];
  isBusy: boolean;
  onText(text: string): void;
  onSubmit(): void;
}) {
  const id = useId();
  const isEmpty = text.trim() === '';
  const submit = () => {
    if (!isEmpty && !isBusy) onSubmit();
  };
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <Button type="submit" kind="primary" icon={<IconPlus aria-hidden />} isBusy={isBusy} disabled={isEmpty}>
          {action}
        </Button>
      </div>
      <FailedLines failed={failed} />
    </form>
  );
}
