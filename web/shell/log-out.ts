import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { queryClient } from '#web/api/client.ts';
import { clearQueue } from '#web/player/queue/queue.ts';
import { getStored, setStored } from '#web/ui/use-local-storage.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { offlineProgressKey, savedIdsKey } from '#web/offline/storage-keys.ts';
import { logOut } from '#web/api/account.ts';

// All tabs share the session, so that a logout ends it in all of them.
const openChannel = () => new BroadcastChannel(`reelkeep logged out ${document.baseURI}`);

// Storage keys with personal data: searches, play queue, recent commands, half-typed links.
export const userStorageKeys = {
  browser: [
    'reelkeep.searches',
    'reelkeep.queue',
    'reelkeep.commands',
    'reelkeep.tray',
    'reelkeep.playback-failures',
    'reelkeep.community',
    offlineProgressKey,
  ],
  tab: ['reelkeep.add-box', 'reelkeep.add-box-channel', 'reelkeep.add-box-playlist'],
};

/** Deletes the user's data from this browser. Device settings such as theme and volume stay. */
export function clearUserData() {
  clearQueue();
  if (getStored(savedIdsKey) !== null)
    void import('#web/offline/saved-videos.ts').then(({ removeSavedVideos }) => removeSavedVideos());
  for (const key of userStorageKeys.browser) setStored(key, null);
  for (const key of userStorageKeys.tab) setStored(key, null, 'tab');
  queryClient.clear();
}

/** Ends the session and opens the login page, or the logout URL of an authenticating proxy. */
export function useLogOut() {
  const navigate = useNavigate();
  const showToast = useToast();
  const leaveSession = async () => {
    const logoutUrl = await logOut();
    clearUserData();
    const channel = openChannel();
    channel.postMessage('');
    channel.close();
    if (logoutUrl) location.assign(logoutUrl);
    else await navigate('/login/');
  };
  return () => void leaveSession().catch((error: Error) => showToast(error.message, { isDanger: true }));
}

/** Opens the login page when the user logs out in another tab. */
export function useCrossTabLogout() {
  const navigate = useNavigate();
  useEffect(() => {
    const channel = openChannel();
    channel.addEventListener('message', () => {
      clearUserData();
      void navigate('/login/');
    });
    return () => channel.close();
  }, [navigate]);
}
