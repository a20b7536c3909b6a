import { createStore } from '#web/ui/create-store.ts';
import { ApiError, call } from './call.ts';

/** Whether the server can be reached, and whether it has another version of the app than this page. */
export const connection = createStore({ isLost: false, isOutdated: false });

/** Whether the server, or the server behind a proxy, did not respond. */
export const isUnreachable = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

export const isServerReachable = () =>
  call('GET /api/health/', {}).then(
    () => true,
    (error: unknown) => !isUnreachable(error),
  );

const entryOf = (page: string) => /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];

/** Compares the script of this page with that of the server. File names contain a hash, so each build has another one. */
export async function checkForUpdate(): Promise<void> {
  const own = document.querySelector('script[type=module][src]')?.getAttribute('src');
  const page = await fetch(document.baseURI, { cache: 'no-store' }).then(
    (response) => response.text(),
    () => '',
  );
  const current = entryOf(page);
  if (own && current && current !== own) connection.set({ isOutdated: true });
}
