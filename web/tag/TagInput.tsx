import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { tagsQuery } from '#web/api/queries/tag.ts';
import { maxTag, tagName } from './tag-name.ts';
import styles from './Tags.module.css';

interface Props {
  label: string;
  /** Tags that are not suggested. */
  except: readonly string[];
  onAdd(tag: string): void;
}

/** A field that adds a tag with Enter, with suggestions of the existing ones. */
export function TagInput({ label, except, onAdd }: Props) {
  const list = useId();
  const [text, setText] = useState('');
  const [hasFocus, setHasFocus] = useState(false);
  const { data } = useQuery({ ...tagsQuery, enabled: hasFocus });
  const suggested = (data ?? []).filter(({ name }) => !except.includes(name));
  const add = () => {
    setText('');
    if (tagName(text)) onAdd(tagName(text));
  };
  return (
    <>
      <input
        className={styles.input}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxTag}
        list={list}
        autoComplete="off"
        autoCapitalize="none"
        enterKeyHint="done"
        onFocus={() => setHasFocus(true)}
        onChange={(event) => setText(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('');
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          // The form around it is not sent.
          event.preventDefault();
          add();
        }}
      />
      <datalist id={list}>
        {suggested.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
