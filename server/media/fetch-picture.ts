import { writeFile } from 'node:fs/promises';
import { removeFile } from './shelf.ts';

type Fetch = (url: string, init: { signal: AbortSignal; maxBytes: number; timeMs: number }) => Promise<Response>;

const mostBytes = 10_000_000;
const longestMs = 15_000;

/** Fetches a picture of at most 10 MB for as long as `use` needs it, beside the place it is meant for. Throws why it cannot be had. */
export async function withPicture(
  fetch: Fetch,
  url: string,
  target: string,
  signal: AbortSignal,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const fetched = `${target}.fetched`;
  try {
    const answer = await fetch(url, { signal, maxBytes: mostBytes, timeMs: longestMs });
    if (!answer.ok) throw new Error(`the site answered ${answer.status}`);
    await writeFile(fetched, new Uint8Array(await answer.arrayBuffer()));
    await use(fetched);
  } finally {
    await removeFile(fetched);
  }
}
