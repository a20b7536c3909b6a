import type { ServerResponse } from 'node:http';

/** Returns a signal that fires when a response was sent or its client has gone. */
export function closedSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
