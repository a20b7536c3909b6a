import { useLingui } from '@lingui/react/macro';
import { IconBroadcast, IconCopy, IconPlayerPlay, IconShare } from '@tabler/icons-react';
import { useMayShare } from '#web/api/account.ts';
import { MenuItem } from '#web/ui/Menu.tsx';
import { M3uDialog } from './M3uDialog.tsx';
import { PodcastDialog } from './PodcastDialog.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { usePlayerLinks, type M3uList } from './use-player-links.ts';

export type SharingDialog = 'podcast' | 'share' | 'm3u';

/** Menu items of a list: podcast, players, and share link of playlists. `onDialog` opens the dialog that an item needs. */
export function ListItems({ list, onDialog }: { list: M3uList; onDialog(dialog: SharingDialog): void }) {
  const { t } = useLingui();
  const { openList } = usePlayerLinks();
  const mayShare = useMayShare();
  return (
    <>
      <MenuItem icon={<IconBroadcast aria-hidden />} onSelect={() => onDialog('podcast')}>
        {t`Subscribe as podcast…`}
      </MenuItem>
      <MenuItem icon={<IconPlayerPlay aria-hidden />} onSelect={() => openList(list)}>
        {t`Open in VLC or mpv`}
      </MenuItem>
      <MenuItem icon={<IconCopy aria-hidden />} onSelect={() => onDialog('m3u')}>
        {t`M3U address…`}
      </MenuItem>
      {list.type === 'playlist' && mayShare && (
        <MenuItem icon={<IconShare aria-hidden />} onSelect={() => onDialog('share')}>
          {t`Create share link…`}
        </MenuItem>
      )}
    </>
  );
}

const feedTypes = { channel: 'channel', playlist: 'playlist', list: 'smart-list' } as const;

/** The dialog that `ListItems` asked for. */
export function ListDialog({
  list,
  name,
  dialog,
  onClose,
}: {
  list: M3uList;
  name: string;
  dialog: SharingDialog;
  onClose(): void;
}) {
  if (dialog === 'm3u') return <M3uDialog list={list} name={name} onClose={onClose} />;
  return dialog === 'podcast' ? (
    <PodcastDialog name={name} target={{ type: feedTypes[list.type], id: list.id }} onClose={onClose} />
  ) : (
    <ShareDialog name={name} target={{ type: 'playlist', id: list.id }} onClose={onClose} />
  );
}
