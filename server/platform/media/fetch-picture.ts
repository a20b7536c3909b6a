import { writeFile } from 'node:fs/promises';
import { removeFile } from '../files/files.ts';

type Fetch = (url: string, init: { signal: AbortSignal; maxBytes: number; timeMs: number }) => Promise<Response>;

const maxBytes = 10_000_000;
const maxMs = 15_000;

/**
 * Downloads an image of at most 10 MB to a temporary file next to `target` and deletes it after `use`.
 * @throws the reason of a failure
 */
export async function withFetchedImage(
  fetch: Fetch,
  url: string,
  target: string,
  signal: AbortSignal,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const fetched = `${target}.fetched`;
  try {
    const response = await fetch(url, { signal, maxBytes, timeMs: maxMs });
    if (!response.ok) throw new Error(`the site answered ${response.status}`);
    await writeFile(fetched, new Uint8Array(await response.arrayBuffer()));
    await use(fetched);
  } finally {
    await removeFile(fetched);
  }
}
