import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconDotsVertical,
  IconGripVertical,
  IconX,
} from '@tabler/icons-react';
import { useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { Playlist } from '#contract/playlist.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { IconButton } from '#web/ui/Button.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { moveItem, planMoves } from './moves.ts';
import { thumbnailUrl } from './grid/thumbnail-url.ts';
import { playlistQuery } from '#web/api/queries/playlist.ts';
import styles from './ReorderPlaylist.module.css';

function useArrange(playlist: Playlist) {
  const showToast = useToast();
  const { playlist_id: id, playlist_entries: entries } = playlist;
  const { queryKey } = playlistQuery(id);
  const change = (video_id: string, action: 'top' | 'up' | 'down' | 'bottom' | 'remove') =>
    call('POST /api/playlist/custom/:id/', { params: { id }, body: { action, video_id } });
  const arrange = useMutation({
    // A move during another one waits for it.
    scope: { id: `playlist ${id}` },
    mutationFn: async ({ from, to }: { from: number; to: number | null }) => {
      const { youtube_id: video } = entries[from]!;
      if (to === null) return change(video, 'remove');
      let after: Playlist = playlist;
      for (const move of planMoves(from, to, entries.length)) after = await change(video, move);
      return after;
    },
    onMutate: ({ from, to }) => {
      const next = to === null ? entries.filter((_, at) => at !== from) : moveItem(entries, from, to);
      queryClient.setQueryData(queryKey, { ...playlist, playlist_entries: next });
    },
    onError: (error) => {
      queryClient.setQueryData(queryKey, playlist);
      showToast(error.message, { isDanger: true });
    },
    onSettled: () => invalidateTopics('playlist', 'video'),
  });
  return arrange;
}

/** Reorders a custom playlist by dragging, by keys, or by a menu. */
export function ReorderPlaylist({ playlist }: { playlist: Playlist }) {
  const { t } = useLingui();
  const { playlist_entries: entries } = playlist;
  const { mutate } = useArrange(playlist);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const last = entries.length - 1;
  const partOf = (id: string | undefined, part: 'grip' | 'more') =>
    id ? list.current?.querySelector<HTMLElement>(`[data-${part}="${CSS.escape(id)}"]`) : null;
  // A moved row is re-inserted in the DOM and would lose the focus, so the focus is restored to it.
  const followed = useRef<Parameters<typeof partOf>>(null);
  const follow = useEffectEvent((_entries: Playlist['playlist_entries']) => {
    if (followed.current) partOf(...followed.current)?.focus();
    followed.current = null;
  });
  useLayoutEffect(() => follow(entries), [entries]);
  const move = (from: number, to: number, part?: 'grip' | 'more') => {
    if (to < 0 || to > last || to === from) return;
    followed.current = part ? [entries[from]!.youtube_id, part] : null;
    mutate({ from, to });
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0;
    if (step === 0) return;
    event.preventDefault();
    if (!event.altKey) return partOf(entries[at + step]?.youtube_id, 'grip')?.focus();
    move(at, at + step, 'grip');
  };
  return (
    <>
      <p className={styles.help}>{t`Drag a row, use its menu, or press Alt + ↑/↓ on the handle.`}</p>
      <ol ref={list} className={styles.list} aria-label={t`Playlist order`}>
        {entries.map((entry, at) => (
          <li
            key={entry.youtube_id}
            className={`${styles.entry} ${over === at && dragged !== at ? styles.over : ''}`}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(at);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              setOver(at);
            }}
            onDragEnd={() => {
              setDragged(null);
              setOver(null);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move(dragged, at);
            }}
          >
            <IconButton
              label={t`Move “${entry.title}”, position ${at + 1}`}
              title={t`Drag to move`}
              data-grip={entry.youtube_id}
              onKeyDown={(event) => onKeyDown(event, at)}
            >
              <IconGripVertical aria-hidden />
            </IconButton>
            <span className={`${styles.position} number`}>{at + 1}</span>
            {entry.downloaded && <img src={thumbnailUrl(entry)} alt="" loading="lazy" />}
            <bdi className={styles.title} title={entry.title}>
              {entry.title}
            </bdi>
            <Menu
              trigger={
                <IconButton label={t`Move or remove “${entry.title}”`} title={t`Move or remove`} data-more={entry.youtube_id}>
                  <IconDotsVertical aria-hidden />
                </IconButton>
              }
            >
              <MenuItem icon={<IconArrowBarToUp aria-hidden />} disabled={at === 0} onSelect={() => move(at, 0, 'more')}>
                {t`Move to top`}
              </MenuItem>
              <MenuItem icon={<IconArrowUp aria-hidden />} disabled={at === 0} onSelect={() => move(at, at - 1, 'more')}>
                {t`Move up`}
              </MenuItem>
              <MenuItem icon={<IconArrowDown aria-hidden />} disabled={at === last} onSelect={() => move(at, at + 1, 'more')}>
                {t`Move down`}
              </MenuItem>
              <MenuItem icon={<IconArrowBarToDown aria-hidden />} disabled={at === last} onSelect={() => move(at, last, 'more')}>
                {t`Move to bottom`}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={<IconX aria-hidden />} onSelect={() => mutate({ from: at, to: null })}>
                {t`Remove from playlist`}
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ol>
    </>
  );
}
