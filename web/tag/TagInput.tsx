import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { tagsQuery } from '#web/api/queries/tag.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { maxTag, tagName } from './tag-name.ts';
import styles from './Tags.module.css';

interface Props {
  label: string;
  /** Tags that are not suggested. */
  except: readonly string[];
  onAdd(tag: string): void;
}

/** Whether a suggestion was chosen, and no key typed. */
const isChoice = ({ inputType }: Event & { inputType?: string }) =>
  inputType === undefined || inputType === 'insertReplacementText';

/** A field that adds a tag with Enter, with suggestions of the existing ones. */
export function TagInput({ label, except, onAdd }: Props) {
  const list = useId();
  const [text, setText] = useState('');
  const [hasFocus, setHasFocus] = useState(false);
  const { data } = useQuery({ ...tagsQuery, enabled: hasFocus });
  const suggested = (data ?? []).filter(({ name }) => !except.includes(name));
  const add = (typed = text) => {
    setText('');
    if (tagName(typed)) onAdd(tagName(typed));
  };
  return (
    <>
      <input
        className={styles.input}
        // A form around it reads a text that was not added yet.
        name="tag"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxTag}
        list={list}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        onFocus={() => setHasFocus(true)}
        onChange={({ target: { value }, nativeEvent }) => {
          if (isChoice(nativeEvent) && suggested.some(({ name }) => name === value)) add(value);
          else setText(value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // The form around it is not sent.
          event.preventDefault();
          add();
        }}
      />
      {tagName(text) && (
        <IconButton label={label} onClick={() => add()}>
          <IconPlus aria-hidden />
        </IconButton>
      )}
      <datalist id={list}>
        {suggested.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
