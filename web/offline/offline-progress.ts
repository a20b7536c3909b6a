import { ApiError, call } from '#web/api/call.ts';
import { asRecord, getStored, parseStored, setStored } from '#web/ui/use-local-storage.ts';
import { markGone, savedIds } from './saved-videos.ts';
import { offlineProgressKey } from './storage-keys.ts';

// Positions reached without the server, in seconds by video id, until they are sent.

const positions = () => parseStored(getStored(offlineProgressKey), asRecord) as Record<string, number>;
const store = (all: Record<string, number>) =>
  setStored(offlineProgressKey, Object.keys(all).length > 0 ? JSON.stringify(all) : null);

export const offlinePosition = (id: string): number | undefined => positions()[id];
export const setOfflinePosition = (id: string, seconds: number) => store({ ...positions(), [id]: Math.floor(seconds) });

const forget = (id: string) => {
  const { [id]: _, ...others } = positions();
  store(others);
};

async function syncOne(id: string, seconds = 0): Promise<void> {
  try {
    const { player } = await call('GET /api/video/:id/', { params: { id } });
    // If the video was watched on another device meanwhile, the farther position is kept.
    if (!player.watched && seconds > (player.position ?? 0))
      await call('POST /api/video/:id/progress/', { params: { id }, body: { position: seconds } });
    forget(id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    forget(id);
    if (savedIds().includes(id)) await markGone(id);
  }
}

/**
 * Sends the positions reached offline, and finds saved videos that the archive no longer has. Positions that cannot be sent stay for
 * the next attempt. Returns whether the server answered.
 */
export async function syncOfflineProgress(): Promise<boolean> {
  const all = positions();
  try {
    for (const id of new Set([...Object.keys(all), ...savedIds()])) await syncOne(id, all[id]);
    return true;
  } catch {
    return false;
  }
}
