import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ViewContent } from '#contract/view.ts';
import { smartLists } from '#web/api/queries/all-smart-lists.ts';
import { channelList } from '#web/api/queries/channel.ts';
import { playlistList } from '#web/api/queries/playlist.ts';
import { searchQuery } from '#web/api/queries/search.ts';
import { Field, Select } from '#web/ui/Field.tsx';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import { contentNames } from './view-texts.ts';

interface Choice {
  id: string;
  name: string;
}

/** Channels or playlists that match a text; without one, the first by name. */
function useMatches(type: 'channel' | 'playlist', text: string): Choice[] {
  const first = text === '';
  const channels = useQuery({ ...channelList(1), enabled: first && type === 'channel' });
  const playlists = useQuery({
    ...playlistList(1, {}),
    enabled: first && type === 'playlist',
  });
  const found = useQuery({ ...searchQuery({ query: `${type}:${text}` }), enabled: !first });
  if (type === 'channel')
    return ((first ? channels.data?.data : found.data?.results.channel_results) ?? []).map((channel) => ({
      id: channel.channel_id,
      name: channel.channel_name,
    }));
  return ((first ? playlists.data?.data : found.data?.results.playlist_results) ?? []).map((playlist) => ({
    id: playlist.playlist_id,
    name: playlist.playlist_name,
  }));
}

interface PickerProps {
  type: 'channel' | 'playlist';
  chosen: Choice | null;
  /** Not required if the choice is added to others. */
  isRequired?: boolean;
  onChange(id: string, name: string): void;
}

/** Finds a channel or playlist by name. */
export function Picker({ type, chosen, isRequired = true, onChange }: PickerProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const matches = useMatches(type, useDebouncedValue(text.trim(), 250));
  const choices = chosen && !matches.some(({ id }) => id === chosen.id) ? [chosen, ...matches] : matches;
  return (
    <>
      <Field
        type="search"
        label={type === 'channel' ? t`Search channels` : t`Search playlists`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label={type === 'channel' ? t`Channel` : t`Playlist`}
        required={isRequired}
        choices={[
          { value: '', label: type === 'channel' ? t`Choose a channel` : t`Choose a playlist` },
          ...choices.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={chosen?.id ?? ''}
        onChange={({ target: { value } }) => onChange(value, choices.find(({ id }) => id === value)?.name ?? value)}
      />
    </>
  );
}

function ListPicker({ id, onChange }: { id: string; onChange(id: string): void }) {
  const { t } = useLingui();
  const { data: lists = [] } = useQuery(smartLists);
  return (
    <Select
      label={t`Smart list`}
      required
      help={lists.length === 0 ? t`You have no smart lists yet.` : undefined}
      choices={[
        { value: '', label: t`Choose a smart list` },
        ...lists.map((list) => ({ value: String(list.id), label: list.name })),
      ]}
      value={id}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface Props {
  content: ViewContent;
  /** Name of the content, as far as it is known. */
  name: string | null;
  onChange(content: ViewContent): void;
}

/** Chooses what a view contains. */
export function ContentChoice({ content, name, onChange }: Props) {
  const { t } = useLingui();
  const { type, id } = content;
  return (
    <>
      <Select
        label={t`Contents`}
        choices={Object.entries(contentNames).map(([value, label]) => ({ value, label: t(label) }))}
        value={type}
        onChange={(event) => onChange({ type: event.target.value as ViewContent['type'] })}
      />
      {(type === 'channel' || type === 'playlist') && (
        <Picker
          key={type}
          type={type}
          chosen={id ? { id, name: name ?? id } : null}
          onChange={(next) => onChange(next ? { type, id: next } : { type })}
        />
      )}
      {type === 'smart-list' && <ListPicker id={id ?? ''} onChange={(next) => onChange(next ? { type, id: next } : { type })} />}
    </>
  );
}
