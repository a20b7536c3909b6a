import { useEffect } from 'react';
import type { PlayerChange } from '#contract/events.ts';
import type { Notification } from '#contract/task.ts';
import { addressOf } from './call.ts';
import { queryClient } from './client.ts';

/** Listens to what changes on the server, for as long as the page is open and somebody is logged in. */
export function useServerEvents({ onPlayer }: { onPlayer(change: PlayerChange): void }) {
  useEffect(() => {
    const events = new EventSource(addressOf('/api/events/'));
    let wasOpen = false;
    events.addEventListener('open', () => {
      // Whatever happened while nobody listened is not told again.
      if (wasOpen) void queryClient.invalidateQueries();
      wasOpen = true;
    });
    events.addEventListener('changed', (event: MessageEvent<string>) => {
      const { rooms } = JSON.parse(event.data) as { rooms: string[] };
      for (const room of rooms) void queryClient.invalidateQueries({ queryKey: [room] });
    });
    events.addEventListener('notices', (event: MessageEvent<string>) => {
      queryClient.setQueryData(['task', 'notices'], JSON.parse(event.data) as Notification[]);
    });
    events.addEventListener('player', (event: MessageEvent<string>) => onPlayer(JSON.parse(event.data) as PlayerChange));
    return () => events.close();
  }, [onPlayer]);
}
