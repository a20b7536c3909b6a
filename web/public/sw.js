// Caches the hashed files of the app, and shows an offline page while the server cannot be reached, with a link to the videos
// saved on this device. API responses and media are never cached.
const cacheName = 'reelkeep-3';
const mostFiles = 250;
const addressOf = (path) => new URL(path, self.registration.scope).href;
const offline = ['offline.html', 'offline.css', 'offline.js', 'favicon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(offline.map((name) => new Request(addressOf(name), { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** Stores a file. Without space in this browser, the app works without the cache. */
async function keep(cache, request, response) {
  try {
    await cache.put(request, response);
    // Deletes files of earlier versions, the oldest first. The offline page was added first and is kept.
    const files = (await cache.keys()).slice(offline.length);
    await Promise.all(files.slice(0, Math.max(0, files.length - mostFiles)).map((file) => cache.delete(file)));
  } catch {
    // the storage is full
  }
}

async function fromCache(request) {
  const cache = await caches.open(cacheName);
  // Files with a hash in their name are the same for every request.
  const cached = await cache.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok && response.status === 200) await keep(cache, request, response.clone());
  return response;
}

/** The font of the app, whose name has a hash; an error before a page has used it. */
async function cachedFont() {
  const cache = await caches.open(cacheName);
  const font = (await cache.keys()).findLast(({ url }) => /\/inter-latin-wght-[^/]*\.woff2$/.test(url));
  return (font && (await cache.match(font, { ignoreVary: true }))) ?? Response.error();
}

/** Whether videos are saved on this device (web/offline/saved-videos.ts). */
async function hasSavedVideos() {
  try {
    const folder = await (await self.navigator.storage.getDirectory()).getDirectoryHandle('offline');
    return !(await folder.keys().next()).done;
  } catch {
    return false;
  }
}

async function fetchOrOffline(request, path) {
  const savedPage = addressOf('offline/');
  try {
    const response = await fetch(request);
    // The page of saved videos belongs to the version of the server.
    if (path.startsWith('offline/') && response.ok) await keep(await caches.open(cacheName), savedPage, response.clone());
    return response;
  } catch {
    const saved = path.startsWith('offline/') && (await caches.match(savedPage));
    if (saved) return saved;
    const page = await caches.match(addressOf('offline.html'));
    if (!page) return Response.error();
    // The page is shown at the requested address, so its links need the base path of the app.
    const home = new URL(self.registration.scope).pathname;
    const language = self.navigator.languages.map((code) => code.slice(0, 2)).find((code) => /^(en|de)$/.test(code)) ?? 'en';
    const html = (await page.text())
      .replaceAll('href="/', `href="${home}`)
      .replace('src="/', `src="${home}`)
      .replace('<html lang="en"', `<html lang="${language}"`)
      .replaceAll(' hidden data-saved', (await hasSavedVideos()) ? '' : ' hidden');
    return new Response(html, { headers: page.headers });
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const path = request.url.slice(self.registration.scope.length);
  if (path.startsWith('assets/')) event.respondWith(fromCache(request));
  else if (request.mode === 'navigate' && !/^(api|youtube|media|cache)\//.test(path))
    event.respondWith(fetchOrOffline(request, path));
  else if (/^(offline\.(css|js)|favicon\.svg)$/.test(path)) event.respondWith(fromCache(request));
  else if (path === 'offline.woff2') event.respondWith(cachedFont());
});
