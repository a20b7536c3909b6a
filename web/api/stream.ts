// One stream of events for all tabs of a browser: over plain HTTP it has six connections to a host, and a stream keeps one.
// The tab that holds the lock listens, and tells the others.

/** An event of the server as it came; `missed`: some may not have come. */
export interface Told {
  event: string;
  data: string;
}

interface Listener {
  take(told: Told): void;
  /** Whether the stream can be had. */
  onHeard(isHeard: boolean): void;
}

const events = ['changed', 'notices', 'player', 'arrived'];
const againMs = 30_000;
// A stream that breaks comes back by itself; only when it stays away something else is done.
const patienceMs = 3000;
const takeOverMs = 1000;

/** Listens by oneself. */
function listen(address: string, { take, onHeard }: Listener, isLate: boolean): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = isLate;
  const open = () => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      clearTimeout(timer);
      timer = undefined;
      onHeard(true);
      if (hasMissed) take({ event: 'missed', data: '' });
      hasMissed = true;
    });
    source.addEventListener('error', () => {
      timer ??= setTimeout(() => {
        onHeard(false);
        timer = undefined;
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
      }, patienceMs);
    });
    for (const event of events) source.addEventListener(event, ({ data }: MessageEvent<string>) => take({ event, data }));
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

/** Opens the stream, or listens to the tab that has it. */
export function openStream(address: string, { take, onHeard }: Listener): () => void {
  // Pages that came by plain HTTP from another machine have no locks: then each tab listens.
  if (!('locks' in navigator)) return listen(address, { take, onHeard }, false);
  const name = `reelkeep ${address}`;
  const others = new BroadcastChannel(name);
  const giveUp = new AbortController();
  const began = Date.now();
  let stop: (() => void) | undefined;
  others.addEventListener('message', ({ data }: MessageEvent<Told | { isHeard: boolean }>) => {
    if ('isHeard' in data) onHeard(data.isHeard);
    else take(data);
  });
  const tellAll: Listener = {
    take(told) {
      take(told);
      others.postMessage(told);
    },
    onHeard(isHeard) {
      onHeard(isHeard);
      others.postMessage({ isHeard });
    },
  };
  const lead = () =>
    new Promise<void>((resolve) => {
      const close = listen(address, tellAll, Date.now() - began > takeOverMs);
      stop = () => {
        close();
        resolve();
      };
      if (giveUp.signal.aborted) stop();
    });
  navigator.locks.request(name, { signal: giveUp.signal }, lead).catch(() => {}); // given up while it waited
  return () => {
    giveUp.abort();
    stop?.();
    others.close();
  };
}
