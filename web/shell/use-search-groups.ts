import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { pathOfChannel, pathOfPlaylist, pathOfVideo } from '#web/api/paths.ts';
import { searchQuery } from '#web/api/queries/search.ts';
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts';
import type { Command } from './palette-order.ts';
import { useMoments } from './use-moments.tsx';

const debounceMs = 200;
export const maxPerGroup = 5;

export interface CommandGroup {
  value: string;
  items: Command[];
}

/** Search results while typing, for the command palette and the search box. */
export function useSearchGroups(text: string, go: (to: string) => void): CommandGroup[] {
  const { t } = useLingui();
  const query = useDebouncedValue(text.trim(), debounceMs);
  const { data, isPlaceholderData } = useQuery({ ...searchQuery({ query }, 'palette'), enabled: query.length > 1 });
  const moments = useMoments(query, { isReady: data !== undefined && !isPlaceholderData, most: maxPerGroup });
  if (!data || text.trim().length < 2) return [];
  const { video_results: videos, channel_results: channels, playlist_results: playlists } = data.results;
  const command = (to: string, label: string, hint?: string): Command => ({
    value: to,
    label,
    run: () => go(to),
    ...(hint && { hint }),
  });
  return [
    {
      value: t`Channels`,
      items: channels.slice(0, maxPerGroup).map((one) => command(pathOfChannel(one.channel_id), one.channel_name)),
    },
    {
      value: t`Videos`,
      items: videos.slice(0, maxPerGroup).map((one) => command(pathOfVideo(one), one.title, one.channel.channel_name)),
    },
    {
      value: t`Playlists`,
      items: playlists.slice(0, maxPerGroup).map((one) => command(pathOfPlaylist(one.playlist_id), one.playlist_name)),
    },
    { value: t`Spoken moments`, items: moments },
  ].filter(({ items }) => items.length > 0);
}
