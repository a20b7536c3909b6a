import { addressOf, sendRequest } from '#web/api/call.ts';

/** Lets the service worker keep what the page of saved videos needs without the server. */
export async function keepApp(): Promise<void> {
  await import('./OfflineVideos.tsx');
  const cacheName = (await caches.keys()).find((name) => name.startsWith('reelkeep-'));
  if (!cacheName) return;
  const page = await sendRequest(addressOf('/offline/'), {});
  const html = await page.clone().text();
  const cache = await caches.open(cacheName);
  await cache.put(addressOf('/offline/'), page);
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const named = [...html.matchAll(/(?:src|href)="([^"]*assets\/[^"]+)"/g)].map(
    ([, path]) => new URL(path!, document.baseURI).href,
  );
  const assets = [...new Set([...named, ...loaded])].filter((url) => url.startsWith(addressOf('/assets/')));
  await Promise.all(assets.map(async (url) => (await cache.match(url)) ?? cache.add(url)));
}
