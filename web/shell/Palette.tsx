import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { IconSearch, IconSettings } from '@tabler/icons-react';
import { useDeferredValue, useRef, useState, type RefObject } from 'react';
import { setStored, getStored } from '#web/ui/use-local-storage.ts';
import { ToastRegion } from '#web/ui/toasts.tsx';
import { useHasNodes } from '#web/api/queries/node.ts';
import { searchSettings } from '#web/settings-pages/search-settings.ts';
import { pathOfSearch } from '#web/search/query-words.ts';
import { CommandContent } from './CommandContent.tsx';
import { extractLinks } from './extract-links.ts';
import { matchesText, sortByRecent, type Command } from './palette-order.ts';
import { useCommands } from './use-commands.tsx';
import { maxPerGroup, useSearchGroups, type CommandGroup } from './use-search-groups.ts';
import commands from './CommandContent.module.css';
import styles from './Palette.module.css';

const storageKey = 'reelkeep.commands';

const lastUsed = () => (getStored(storageKey) ?? '').split('\n').filter(Boolean);

interface Props {
  field: RefObject<HTMLInputElement | null>;
  /** The input; typing may start before the palette is loaded. */
  text: string;
  onText(text: string): void;
  onClose(): void;
  onLinks(links: string[]): void;
  onKeys(): void;
}

/** Command palette: pages, actions and search results. */
export function Palette({ field, text, onText, onClose, onLinks, onKeys }: Props) {
  const { t } = useLingui();
  const [last] = useState(lastUsed);
  const { pages, lists, actions, tasks, go, isStaff } = useCommands(onKeys);
  const hasNodes = useHasNodes();
  const searchGroups = useSearchGroups(useDeferredValue(text), go);
  const links = isStaff ? extractLinks(text) : [];
  const known = [...pages, ...lists, ...actions, ...tasks];
  const recent = text === '' ? last.flatMap((value) => known.find((one) => one.value === value) ?? []).slice(0, maxPerGroup) : [];
  const rest = (all: Command[]) => sortByRecent(all, last).filter((one) => matchesText(one, text) && !recent.includes(one));
  const search: Command = {
    value: 'search',
    label: t`Search for “${text.trim()}”`,
    run: () => go(pathOfSearch(text.trim())),
  };
  const addLinks: Command = { value: 'links', label: t`Add ${links.join(' ')}`, run: () => onLinks(links) };
  const groups: CommandGroup[] = [
    { value: t`Add`, items: links.length > 0 ? [addLinks] : [] },
    { value: t`Recent`, items: recent },
    { value: t`Pages`, items: rest(pages) },
    // There may be hundreds, so they show only when searched for.
    { value: t`Smart lists`, items: text === '' ? [] : rest(lists).slice(0, maxPerGroup) },
    { value: t`Actions`, items: text === '' ? rest(actions) : rest([...actions, ...tasks]) },
    {
      value: t`Settings`,
      items: searchSettings(text, { isStaff, hasNodes })
        .slice(0, maxPerGroup)
        .map(({ to, label, page }) => ({
          value: to,
          label,
          hint: page,
          icon: <IconSettings aria-hidden />,
          run: () => go(to),
        })),
    },
    ...searchGroups,
    { value: t`Search`, items: text.trim() && links.length === 0 ? [search] : [] },
  ].filter(({ items }) => items.length > 0);
  const highlighted = useRef<Command>(undefined);
  const choose = ({ value, run, runInPlace }: Command, isInPlace = false) => {
    setStored(storageKey, [value, ...last.filter((one) => one !== value)].slice(0, 20).join('\n'));
    onClose();
    if (isInPlace && runInPlace) runInPlace();
    else run();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.palette} aria-label={t`Commands`}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={onText}
            itemToStringValue={(item: Command) => item.label}
            onItemHighlighted={(item: Command | undefined) => (highlighted.current = item)}
            autoHighlight="always"
            keepHighlight
          >
            <div className={styles.field}>
              <IconSearch aria-hidden />
              <Autocomplete.Input
                ref={field}
                onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !event.shiftKey || !highlighted.current?.runInPlace) return;
                  event.preventBaseUIHandler();
                  event.preventDefault();
                  choose(highlighted.current, true);
                }}
                className={styles.input}
                aria-label={t`What do you want to do?`}
                placeholder={t`Page, action, video, channel or link…`}
              />
            </div>
            <Dialog.Close className="hidden">{t`Close`}</Dialog.Close>
            <Autocomplete.List className={styles.list}>
              {(group: CommandGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={commands.label}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Command) => (
                      <Autocomplete.Item
                        key={item.value}
                        value={item}
                        className={commands.item}
                        onClick={(event) => choose(item, event.shiftKey)}
                      >
                        <CommandContent command={item} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <ToastRegion />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
