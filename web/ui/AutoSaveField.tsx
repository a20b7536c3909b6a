import { useLingui } from '@lingui/react/macro';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { Field } from './Field.tsx';
import styles from './Field.module.css';
import { SavedNote } from './SavedNote.tsx';
import { TextArea } from './TextArea.tsx';
import { useAutoSave } from './use-auto-save.ts';

/** Returns what is wrong with the content of an input, or undefined. */
function useProblem() {
  const { t } = useLingui();
  return ({ validity, min, max, type }: HTMLInputElement): string | undefined => {
    if (validity.valid) return undefined;
    if (validity.valueMissing) return t`Enter a value.`;
    if (type === 'date') return t`Enter a date.`;
    if (min !== '' && max !== '') return t`Enter a number from ${min} to ${max}.`;
    return min === '' ? t`Enter a number.` : t`Enter a number from ${min}.`;
  };
}

interface Props<T> extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'value' | 'onChange' | 'onBlur' | 'onKeyDown' | 'defaultValue'
> {
  label: string;
  help?: ReactNode;
  saved: T;
  /** Shows a saved value as text. */
  format(value: T): string;
  parse(text: string): T;
  /** Rejects with the message to show. */
  save(value: T): Promise<unknown>;
  /** A secret is not shown again, so that saving it cannot be undone. */
  isSecret?: boolean;
  /** Value that the button "Reset" saves; undefined: there is no button. */
  reset?: T | undefined;
  /** Number of lines of a longer text. Enter begins a new line there. */
  lines?: number;
}

/**
 * A text field that saves itself when it is left or after Enter; Escape discards what was typed. It shows what is typed and not
 * saved yet, otherwise the saved value, also when it is changed elsewhere. An invalid text stays, with the reason.
 */
export function AutoSaveField<T>({ label, help, saved, format, parse, save, isSecret = false, reset, lines, ...rest }: Props<T>) {
  const [draft, setDraft] = useState<{ text: string; problem: string | undefined } | null>(null);
  const [isLeft, setIsLeft] = useState(false);
  const { t } = useLingui();
  const problemOf = useProblem();
  const saving = useAutoSave({ value: saved, save });
  const leave = async () => {
    setIsLeft(true);
    if (draft === null || draft.problem || saving.isSaving) return;
    const next = parse(draft.text);
    if (next === saved) setDraft(null);
    // Text typed during the save is kept.
    else if (await saving.commit(next)) setDraft((typed) => (typed === draft ? null : typed));
  };
  // A page that is left through the history, and a closed tab, leave the field in focus.
  const leaveWithPage = useEffectEvent(() => void leave());
  useEffect(() => {
    const onHide = () => leaveWithPage();
    // Requests that begin during the second are often lost; mobile browsers do not fire the first.
    const events = ['beforeunload', 'pagehide'] as const;
    for (const event of events) addEventListener(event, onHide);
    return () => {
      for (const event of events) removeEventListener(event, onHide);
      leaveWithPage();
    };
  }, []);
  const begin = (typed: typeof draft) => {
    setDraft(typed);
    setIsLeft(false);
    saving.clear();
  };
  const shared = {
    label,
    help,
    value: draft?.text ?? format(saved),
    note: (
      <>
        <SavedNote
          label={label}
          isSaved={saving.isSaved && draft === null}
          onUndo={isSecret ? null : () => void saving.undo?.()}
        />
        {reset !== undefined && (
          <IconButton
            label={t`Reset: ${label}`}
            className={styles.reset}
            onClick={() => {
              begin(null);
              void saving.commit(reset);
            }}
          >
            <IconArrowBackUp aria-hidden />
          </IconButton>
        )}
      </>
    ),
    problem: (isLeft ? draft?.problem : undefined) ?? saving.error?.message,
    onBlur: () => void leave(),
  };
  if (lines)
    return (
      <TextArea
        {...shared}
        rows={lines}
        placeholder={rest.placeholder}
        onChange={(text) => begin({ text, problem: undefined })}
        onKeyDown={({ key }) => key === 'Escape' && begin(null)}
      />
    );
  return (
    <Field
      {...rest}
      {...shared}
      onChange={({ target }) => begin({ text: target.value, problem: problemOf(target) })}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) void leave();
        if (key === 'Escape') begin(null);
      }}
    />
  );
}
