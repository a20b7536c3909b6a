import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import type { Video } from '#contract/video.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { useLocalStorage } from '#web/ui/use-local-storage.ts';
import { useStoreValue } from '#web/ui/create-store.ts';
import { savedIdsKey } from './storage-keys.ts';
import { keepApp } from './keep-app.ts';
import { canSaveVideos, offlineDownloads, parseSavedIds, removeSavedVideo, saveVideo } from './saved-videos.ts';

/** State of a video on this device, and the functions that save and remove it. */
export function useSaveOffline(video: Video) {
  const { t } = useLingui();
  const showToast = useToast();
  const navigate = useNavigate();
  const { youtube_id: id, title } = video;
  const [stored] = useLocalStorage(savedIdsKey);
  const share = useStoreValue(offlineDownloads, ({ running }) => running.get(id));
  const show = { label: t`Show`, run: () => void navigate('/offline/'), isNavigation: true } as const;
  const save = useAction(() => saveVideo(video, keepApp), {
    onMutate: () => showToast(t`Saving “${title}” on this device…`, { action: show }),
    onSuccess: () => showToast(t`“${title}” is available offline.`, { action: show }),
  });
  const remove = useAction(() => removeSavedVideo(id), {
    onSuccess: () => showToast(t`Removed from this device.`),
  });
  return {
    isSupported: canSaveVideos(),
    isSaved: parseSavedIds(stored).includes(id),
    /** From 0 to 1 while it is being saved. */
    share,
    save: () => save.mutate(),
    remove: () => remove.mutate(),
  };
}
