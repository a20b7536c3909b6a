// Keeps the app's own hashed files, and shows a page of its own when the server cannot be reached. Nothing of the archive, no
// answer and no media, is ever kept here.
const kept = 'reelkeep-2';
const mostFiles = 250;
const atHome = (path) => new URL(path, self.registration.scope).href;
const offline = ['offline.html', 'offline.css', 'favicon.svg'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(kept)
      .then((cache) => cache.addAll(offline.map((name) => new Request(atHome(name), { cache: 'reload' }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function fromCache(request) {
  const cache = await caches.open(kept);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok && answer.status === 200) {
    await cache.put(request, answer.clone());
    // Files of versions that are gone leave, the oldest first; what is shown offline came before all.
    const files = (await cache.keys()).slice(offline.length);
    await Promise.all(files.slice(0, Math.max(0, files.length - mostFiles)).map((file) => cache.delete(file)));
  }
  return answer;
}

async function orOffline(request) {
  try {
    return await fetch(request);
  } catch {
    const page = await caches.match(atHome('offline.html'));
    if (!page) return Response.error();
    // Its address is that of the page that was wanted, so where the app lives is written into it.
    const home = new URL(self.registration.scope).pathname;
    const language = self.navigator.languages.map((code) => code.slice(0, 2)).find((code) => /^(en|de)$/.test(code)) ?? 'en';
    const words = (await page.text())
      .replaceAll('href="/', `href="${home}`)
      .replace('<html lang="en"', `<html lang="${language}"`);
    return new Response(words, { headers: page.headers });
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const path = request.url.slice(self.registration.scope.length);
  if (path.startsWith('assets/')) event.respondWith(fromCache(request));
  else if (request.mode === 'navigate' && !/^(api|youtube|media|cache)\//.test(path)) event.respondWith(orOffline(request));
  else if (/^(offline\.css|favicon\.svg)$/.test(path)) event.respondWith(fromCache(request));
});
