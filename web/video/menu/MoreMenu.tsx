import { useAction } from '#web/confirm/use-action.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import {
  IconCut,
  IconDeviceMobileDown,
  IconLanguage,
  IconLink,
  IconLock,
  IconLockOpen,
  IconMessages,
  IconMusic,
  IconPlayerPlay,
  IconPlaylist,
  IconRefresh,
  IconShare,
  IconTrash,
} from '@tabler/icons-react';
import { useState, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { useMayShare } from '#web/api/account.ts';
import { addressOf, call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { notesOfVideoQuery } from '#web/api/queries/note.ts';
import { ClipDialog } from '#web/clip/ClipDialog.tsx';
import { rangeToClip } from '#web/clip/range-to-clip.ts';
import { mediaElement } from '#web/player/state/player-store.ts';
import { enqueueLast } from '#web/player/queue/queue.ts';
import { percentText } from '#web/format/numbers.ts';
import { useSaveOffline } from '#web/offline/use-save-offline.ts';
import { ShareDialog } from '#web/sharing/ShareDialog.tsx';
import { usePlayerLinks } from '#web/sharing/use-player-links.ts';
import { useCopy } from '#web/ui/copy.ts';
import { MenuItem, MenuSeparator, OpenMenu } from '#web/ui/Menu.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useFetchChat } from '../chat/use-fetch-chat.ts';
import { DeleteVideo } from '../actions/DeleteVideo.tsx';
import { pathOfChannel, pathOfVideo } from '#web/api/paths.ts';
import { videoQuery } from '#web/api/queries/video.ts';

const FetchSoundsDialog = lazyComponent(async () => (await import('../sounds/FetchSoundsDialog.tsx')).FetchSoundsDialog);

const EditMusic = lazyComponent(async () => (await import('../actions/EditMusic.tsx')).EditMusic);

interface Props {
  video: Video;
  isStaff: boolean;
  anchor: RefObject<HTMLButtonElement | null>;
  onClose(): void;
}

/** Menu with the less frequent actions, most of them for staff. */
export function MoreMenu({ video, isStaff, anchor, onClose }: Props) {
  const { t } = useLingui();
  const showToast = useToast();
  const copy = useCopy();
  const navigate = useNavigate();
  const offline = useSaveOffline(video);
  const percent = percentText(offline.share ?? 0);
  const [openDialog, setOpenDialog] = useState<'clip' | 'share' | 'sounds' | 'music' | 'delete' | null>(null);
  const mayShare = useMayShare();
  const { copyVideo } = usePlayerLinks();
  const { youtube_id: id, is_protected: isProtected } = video;
  const reindex = useAction(() => call('POST /api/refresh/', { body: { video: [id] } }), {
    onSuccess: () => showToast(t`Reindex scheduled`),
  });
  const protect = useAction(
    (isWanted: boolean) => call('POST /api/video/:id/protect/', { params: { id }, body: { is_protected: isWanted } }),
    {
      onSuccess: ({ is_protected }) => {
        queryClient.setQueryData(videoQuery(id).queryKey, (known) => known && { ...known, is_protected });
        showToast(is_protected ? t`Protected from cleanup.` : t`Protection removed.`);
      },
    },
  );
  const fetchChat = useFetchChat(id);
  if (openDialog === 'clip') {
    const notes = queryClient.getQueryData(notesOfVideoQuery(id).queryKey) ?? [];
    const range = rangeToClip(mediaElement()?.currentTime ?? 0, notes, video.player.duration);
    return <ClipDialog video={id} range={range} onClose={onClose} />;
  }
  if (openDialog === 'share') return <ShareDialog name={video.title} target={{ type: 'video', id }} onClose={onClose} />;
  if (openDialog === 'sounds') return <FetchSoundsDialog videos={[id]} onClose={onClose} />;
  if (openDialog === 'music') return <EditMusic video={video} onClose={onClose} />;
  if (openDialog === 'delete')
    return (
      <DeleteVideo
        video={video}
        onClose={onClose}
        onDeleted={() => navigate(pathOfChannel(video.channel.channel_id), { replace: true, flushSync: true })}
      />
    );
  return (
    <OpenMenu anchor={anchor} onClose={onClose}>
      <MenuItem
        icon={<IconPlaylist aria-hidden />}
        onSelect={() => {
          enqueueLast(video);
          showToast(t`Added to Up next.`);
        }}
      >
        <Trans>Add to Up next</Trans>
      </MenuItem>
      <MenuItem icon={<IconLink aria-hidden />} onSelect={() => void copy(addressOf(pathOfVideo(video)), t`Link copied.`)}>
        <Trans>Copy link</Trans>
      </MenuItem>
      <MenuItem icon={<IconPlayerPlay aria-hidden />} onSelect={() => copyVideo(id)}>
        <Trans>Copy address for players</Trans>
      </MenuItem>
      <MenuItem icon={<IconCut aria-hidden />} onSelect={() => setOpenDialog('clip')} staysOpen>
        <Trans>Clip…</Trans>
      </MenuItem>
      {mayShare && (
        <MenuItem icon={<IconShare aria-hidden />} onSelect={() => setOpenDialog('share')} staysOpen>
          <Trans>Create share link…</Trans>
        </MenuItem>
      )}
      {offline.isSupported && (
        <MenuItem
          icon={<IconDeviceMobileDown aria-hidden />}
          disabled={offline.share !== undefined}
          onSelect={offline.isSaved ? offline.remove : offline.save}
        >
          {offline.share !== undefined
            ? t`Saving: ${percent}`
            : offline.isSaved
              ? t`Remove from this device`
              : t`Make available offline`}
        </MenuItem>
      )}
      {isStaff && (
        <>
          <MenuSeparator />
          <MenuItem icon={<IconRefresh aria-hidden />} onSelect={() => reindex.mutate()}>
            <Trans>Reindex</Trans>
          </MenuItem>
          <MenuItem icon={<IconLanguage aria-hidden />} onSelect={() => setOpenDialog('sounds')} staysOpen>
            <Trans>Fetch more languages…</Trans>
          </MenuItem>
          {(video.music || video.category.includes('Music')) && (
            <MenuItem icon={<IconMusic aria-hidden />} onSelect={() => setOpenDialog('music')} staysOpen>
              <Trans>Edit music details…</Trans>
            </MenuItem>
          )}
          {video.source_url?.includes('youtube.com/') && (video.chat || video.vid_type === 'streams') && (
            <MenuItem icon={<IconMessages aria-hidden />} onSelect={() => fetchChat.mutate()}>
              <Trans>Fetch the chat</Trans>
            </MenuItem>
          )}
          <MenuItem
            icon={isProtected ? <IconLockOpen aria-hidden /> : <IconLock aria-hidden />}
            onSelect={() => protect.mutate(!isProtected)}
          >
            {isProtected ? <Trans>Remove protection</Trans> : <Trans>Protect from cleanup</Trans>}
          </MenuItem>
          <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setOpenDialog('delete')} staysOpen>
            <Trans>Delete video</Trans>
          </MenuItem>
        </>
      )}
    </OpenMenu>
  );
}
