import { useEffect } from 'react';
import type { PlayerChange } from '#contract/events.ts';
import type { Notification } from '#contract/task.ts';
import { addressOf, call, isLoggedOut } from './call.ts';
import { queryClient } from './client.ts';
import { openStream, type Told } from './stream.ts';

const notices = ['task', 'notices'];
// While something runs; and how often it is looked whether something does.
const runningMs = 1000;
const quietMs = 10_000;

/** Asks what goes on, for as long as the stream cannot be had; when the last of it is over, everything is asked for again. */
function startAsking(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  const ask = async () => {
    const before = queryClient.getQueryData<Notification[]>(notices) ?? [];
    const now = await call('GET /api/notification/', {}).catch((error: unknown) => {
      // A stream that ended because the session did: a question that is seen to fail tells so.
      if (isLoggedOut(error)) void queryClient.invalidateQueries({ queryKey: ['user', 'account'] });
      return before;
    });
    if (isOver) return;
    queryClient.setQueryData(notices, now);
    if (before.length > 0 && now.length === 0) void queryClient.invalidateQueries();
    timer = setTimeout(() => void ask(), now.length > 0 ? runningMs : quietMs);
  };
  void ask();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Listens to what changes on the server, for as long as the page is open and somebody is logged in. */
export function useServerEvents({ onPlayer }: { onPlayer(change: PlayerChange): void }) {
  useEffect(() => {
    let stopAsking: (() => void) | null = null;
    const take = ({ event, data }: Told) => {
      if (event === 'changed')
        for (const room of (JSON.parse(data) as { rooms: string[] }).rooms)
          void queryClient.invalidateQueries({ queryKey: [room] });
      else if (event === 'notices') queryClient.setQueryData(notices, JSON.parse(data) as Notification[]);
      else if (event === 'player') onPlayer(JSON.parse(data) as PlayerChange);
      // Whatever happened while nobody listened is not told again.
      else if (event === 'missed') void queryClient.invalidateQueries();
    };
    const stop = openStream(addressOf('/api/events/'), {
      take,
      onHeard(isHeard) {
        if (isHeard) stopAsking?.();
        stopAsking = isHeard ? null : (stopAsking ?? startAsking());
      },
    });
    return () => {
      stop();
      stopAsking?.();
    };
  }, [onPlayer]);
}
