import { useLingui } from '@lingui/react/macro';
import type { Video } from '#contract/video.ts';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { PlaylistChoices } from './PlaylistChoices.tsx';

/** Adds videos to custom playlists, or removes them. */
export function AddToPlaylist({ videos, onClose }: { videos: Video[]; onClose(): void }) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Add to playlist`} onClose={onClose}>
      <PlaylistChoices videos={videos} onCreated={onClose} />
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
