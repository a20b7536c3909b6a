import { isServerReachable } from './connection.ts';

// One event stream for all tabs: over HTTP/1.1 browsers open at most six connections per host, and a stream occupies one.
// The tab that holds the lock listens and broadcasts to the others.

/** A server-sent event; `missed`: events may have been lost. */
export interface ServerEvent {
  event: string;
  data: string;
}

interface Listener {
  onEvent(event: ServerEvent): void;
  /** Whether the stream is connected. */
  onConnectionChange(isConnected: boolean): void;
}

const events = ['changed', 'notices', 'player', 'arrived'];
const reopenMs = 10_000;
// EventSource reconnects automatically. A longer interruption is reported after this time, a server that is down at once.
const disconnectGraceMs = 3000;
const takeOverMs = 1000;

/** Opens the stream in this tab. */
function listen(address: string, { onEvent, onConnectionChange }: Listener, startsLate: boolean): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = startsLate;
  const open = () => {
    timer = undefined;
    source = new EventSource(address);
    source.addEventListener('open', () => {
      clearTimeout(timer);
      timer = undefined;
      onConnectionChange(true);
      if (hasMissed) onEvent({ event: 'missed', data: '' });
      hasMissed = true;
    });
    source.addEventListener('error', () => {
      if (timer) return;
      const report = () => {
        clearTimeout(timer);
        onConnectionChange(false);
        timer = source.readyState === EventSource.CLOSED ? setTimeout(open, reopenMs) : undefined;
      };
      const grace = setTimeout(report, disconnectGraceMs);
      timer = grace;
      void isServerReachable().then((isReachable) => {
        if (!isReachable && timer === grace) report();
      });
    });
    for (const event of events) source.addEventListener(event, ({ data }: MessageEvent<string>) => onEvent({ event, data }));
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Opens the stream, or listens to the tab that has opened it. */
export function openSharedEventSource(address: string, { onEvent, onConnectionChange }: Listener): () => void {
  // Web Locks need a secure context. Without them each tab opens its own stream.
  if (!('locks' in navigator)) return listen(address, { onEvent, onConnectionChange }, false);
  const name = `reelkeep ${address}`;
  const channel = new BroadcastChannel(name);
  const aborter = new AbortController();
  const startedAt = Date.now();
  let stop: (() => void) | undefined;
  channel.addEventListener('message', ({ data }: MessageEvent<ServerEvent | { isConnected: boolean }>) => {
    if ('isConnected' in data) onConnectionChange(data.isConnected);
    else onEvent(data);
  });
  const broadcaster: Listener = {
    onEvent(event) {
      onEvent(event);
      channel.postMessage(event);
    },
    onConnectionChange(isConnected) {
      onConnectionChange(isConnected);
      channel.postMessage({ isConnected });
    },
  };
  const becomeLeader = () =>
    new Promise<void>((resolve) => {
      const close = listen(address, broadcaster, Date.now() - startedAt > takeOverMs);
      stop = () => {
        close();
        resolve();
      };
      if (aborter.signal.aborted) stop();
    });
  navigator.locks.request(name, { signal: aborter.signal }, becomeLeader).catch(() => {}); // aborted while waiting
  return () => {
    aborter.abort();
    stop?.();
    channel.close();
  };
}
