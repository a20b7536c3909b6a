import type { Query } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PlayerChange } from '#contract/events.ts';
import type { Notification } from '#contract/task.ts';
import { addressOf, call, isLoggedOut } from './call.ts';
import { beingDeleted, queryClient } from './client.ts';
import { checkForUpdate, connection, isUnreachable } from './connection.ts';
import { openSharedEventSource, type ServerEvent } from './shared-event-source.ts';

const notices = ['task', 'notices'];
// Polling intervals while tasks run, and while none do.
const runningMs = 1000;
const idleMs = 10_000;

const isKept = ({ queryKey }: Query) => !queryKey.some((part) => beingDeleted.has(part));

/** Loads what may have changed meanwhile. */
function onBack() {
  void queryClient.invalidateQueries({ predicate: isKept });
  void checkForUpdate();
}

/** Polls the running tasks while the event stream is disconnected. All queries are invalidated when the last task ends. */
function startPolling(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isStopped = false;
  const poll = async () => {
    const before = queryClient.getQueryData<Notification[]>(notices) ?? [];
    let isLost = false;
    const now = await call('GET /api/notification/', {}).catch((error: unknown) => {
      isLost = isUnreachable(error);
      // If the stream ended with the session, this query fails visibly and opens the login dialog.
      if (isLoggedOut(error)) void queryClient.invalidateQueries({ queryKey: ['user', 'account'] });
      return before;
    });
    if (isStopped) return;
    const isBack = connection.get().isLost && !isLost;
    connection.set({ isLost });
    if (isBack) onBack();
    queryClient.setQueryData(notices, now);
    if (before.length > 0 && now.length === 0) void queryClient.invalidateQueries({ predicate: isKept });
    timer = setTimeout(() => void poll(), isLost || now.length > 0 ? runningMs : idleMs);
  };
  void poll();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    connection.set({ isLost: false });
  };
}

/** Applies server events to the query cache while the component is mounted. */
export function useServerEvents({ onPlayer }: { onPlayer(change: PlayerChange): void }) {
  useEffect(() => {
    let stopPolling: (() => void) | null = null;
    const onEvent = ({ event, data }: ServerEvent) => {
      if (event === 'changed')
        for (const topic of (JSON.parse(data) as { topics: string[] }).topics)
          void queryClient.invalidateQueries({ queryKey: [topic], predicate: isKept });
      else if (event === 'notices') queryClient.setQueryData(notices, JSON.parse(data) as Notification[]);
      else if (event === 'player') onPlayer(JSON.parse(data) as PlayerChange);
      // Lost events are not sent again.
      else if (event === 'missed') onBack();
    };
    const stop = openSharedEventSource(addressOf('/api/events/'), {
      onEvent,
      onConnectionChange(isConnected) {
        if (isConnected) stopPolling?.();
        stopPolling = isConnected ? null : (stopPolling ?? startPolling());
      },
    });
    return () => {
      stop();
      stopPolling?.();
    };
  }, [onPlayer]);
}
