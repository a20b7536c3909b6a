import { useLingui } from '@lingui/react/macro';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useId, useImperativeHandle, useState, type Ref } from 'react';
import { pathOfSearch } from '#web/search/query-words.ts';
import type { Command } from './palette-order.ts';
import { CommandContent } from './CommandContent.tsx';
import { useSearchGroups } from './use-search-groups.ts';
import commands from './CommandContent.module.css';
import styles from './SearchSuggestions.module.css';

export interface SuggestionsHandle {
  /** Handles a key of the search field. Returns whether it was used. */
  press(key: string): boolean;
}

interface Props {
  id: string;
  text: string;
  ref: Ref<SuggestionsHandle>;
  go(to: string): void;
  /** Reports the id of the highlighted option. */
  onHighlight(optionId: string | undefined): void;
}

/** Search results below the search field while typing. The focus stays in the field. */
export function SearchSuggestions({ id, text, ref, go, onHighlight }: Props) {
  const { t } = useLingui();
  const prefix = useId();
  const trimmed = text.trim();
  const groups = useSearchGroups(useDeferredValue(text), go);
  const all: Command = {
    value: 'all',
    label: t`All results for “${trimmed}”`,
    icon: <IconSearch aria-hidden />,
    run: () => go(pathOfSearch(trimmed)),
  };
  const items = [...groups.flatMap((group) => group.items), all];
  const [highlighted, setHighlighted] = useState<string>();
  const at = items.findIndex(({ value }) => value === highlighted);
  const optionId = (index: number) => `${prefix}${index}`;
  useEffect(() => {
    onHighlight(at < 0 ? undefined : `${prefix}${at}`);
    if (at >= 0) document.getElementById(`${prefix}${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, prefix, onHighlight]);
  useImperativeHandle(ref, () => ({
    press(key) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined) {
        // Before the first and after the last one, none is highlighted.
        const next = ((at + 1 + step + items.length + 1) % (items.length + 1)) - 1;
        setHighlighted(items[next]?.value);
        return true;
      }
      if (key !== 'Enter' || at < 0) return false;
      items[at]!.run();
      return true;
    },
  }));
  const option = (item: Command) => {
    const index = items.indexOf(item);
    return (
      // The keys are handled by the field.
      // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
      <div
        key={item.value}
        id={optionId(index)}
        role="option"
        aria-selected={index === at}
        className={commands.item}
        onPointerDown={(event) => event.preventDefault()}
        onClick={item.run}
      >
        <CommandContent command={item} />
      </div>
    );
  };
  return (
    <div id={id} role="listbox" aria-label={t`Suggestions`} className={styles.list}>
      {groups.map(({ value, items: some }) => (
        <div key={value} role="group" aria-label={value}>
          <div className={commands.label} aria-hidden>
            {value}
          </div>
          {some.map(option)}
        </div>
      ))}
      {option(all)}
    </div>
  );
}
