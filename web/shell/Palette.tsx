import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useState, type RefObject } from 'react';
import { keep, readKept } from '#web/ui/kept.ts';
import { useSettled } from '#web/ui/settled.ts';
import { Notices } from '#web/ui/toasts.tsx';
import { searchQuery } from '#web/search/queries.ts';
import { pathOfSearch } from '#web/search/query-words.ts';
import { pathOfChannel, pathOfPlaylist, pathOfVideo } from '#web/video/paths.ts';
import { linksIn } from './links-in.ts';
import { fits, lastFirst, type Command } from './palette-order.ts';
import { useCommands } from './use-commands.tsx';
import styles from './Palette.module.css';

const kept = 'reelkeep.commands';
const typedMs = 200;
const mostOfEach = 5;

interface Group {
  value: string;
  items: Command[];
}

const lastUsed = () => (readKept(kept) ?? '').split('\n').filter(Boolean);

/** What the archive has by that name, as something to go to. */
function useThings(text: string, go: (to: string) => void): Group[] {
  const { t } = useLingui();
  const query = useSettled(text.trim(), typedMs);
  const { data } = useQuery({ ...searchQuery({ query }, 'palette'), enabled: query.length > 1 });
  if (!data || text.trim().length < 2) return [];
  const { video_results: videos, channel_results: channels, playlist_results: playlists } = data.results;
  const thing = (to: string, label: string, hint?: string): Command => ({
    value: to,
    label,
    run: () => go(to),
    ...(hint && { hint }),
  });
  return [
    {
      value: t`Channels`,
      items: channels.slice(0, mostOfEach).map((one) => thing(pathOfChannel(one.channel_id), one.channel_name)),
    },
    {
      value: t`Videos`,
      items: videos.slice(0, mostOfEach).map((one) => thing(pathOfVideo(one), one.title, one.channel.channel_name)),
    },
    {
      value: t`Playlists`,
      items: playlists.slice(0, mostOfEach).map((one) => thing(pathOfPlaylist(one.playlist_id), one.playlist_name)),
    },
  ].filter(({ items }) => items.length > 0);
}

interface Props {
  field: RefObject<HTMLInputElement | null>;
  /** What is typed; it may have begun before this was there. */
  text: string;
  onText(text: string): void;
  onClose(): void;
  onLinks(links: string[]): void;
  onKeys(): void;
}

/** Everything by a few letters: pages, actions, and what is in the archive. */
export function Palette({ field, text, onText, onClose, onLinks, onKeys }: Props) {
  const { t } = useLingui();
  const [last] = useState(lastUsed);
  const { pages, lists, actions, go, isStaff } = useCommands(onKeys);
  const things = useThings(useDeferredValue(text), go);
  const links = isStaff ? linksIn(text) : [];
  const known = [...pages, ...lists, ...actions];
  const recent = text === '' ? last.flatMap((value) => known.find((one) => one.value === value) ?? []).slice(0, mostOfEach) : [];
  const rest = (all: Command[]) => lastFirst(all, last).filter((one) => fits(one, text) && !recent.includes(one));
  const search: Command = {
    value: 'search',
    label: t`Search for “${text.trim()}”`,
    run: () => go(pathOfSearch(text.trim())),
  };
  const offer: Command = { value: 'links', label: t`Add to the queue: ${links.join(' ')}`, run: () => onLinks(links) };
  const groups: Group[] = [
    { value: t`Add`, items: links.length > 0 ? [offer] : [] },
    { value: t`Last used`, items: recent },
    { value: t`Pages`, items: rest(pages) },
    // There may be hundreds: they are found by their names.
    { value: t`Smart lists`, items: text === '' ? [] : rest(lists).slice(0, mostOfEach) },
    { value: t`Actions`, items: rest(actions) },
    ...things,
    { value: t`Search`, items: text.trim() && links.length === 0 ? [search] : [] },
  ].filter(({ items }) => items.length > 0);
  const choose = ({ value, run }: Command) => {
    keep(kept, [value, ...last.filter((one) => one !== value)].slice(0, 20).join('\n'));
    onClose();
    run();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.shade} />
        <Dialog.Popup className={styles.palette} aria-label={t`Commands`}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={onText}
            itemToStringValue={(item: Command) => item.label}
            autoHighlight="always"
            keepHighlight
          >
            <div className={styles.field}>
              <IconSearch aria-hidden />
              <Autocomplete.Input
                ref={field}
                onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
                className={styles.input}
                aria-label={t`What do you want to do?`}
                placeholder={t`A page, an action, a video, a channel, a link …`}
              />
            </div>
            <Dialog.Close className="hidden">{t`Close`}</Dialog.Close>
            <Autocomplete.List className={styles.list}>
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.label}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Command) => (
                      <Autocomplete.Item key={item.value} value={item} className={styles.item} onClick={() => choose(item)}>
                        {item.icon}
                        <bdi className={styles.words}>{item.label}</bdi>
                        {item.hint && <bdi className={styles.hint}>{item.hint}</bdi>}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <Notices />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
