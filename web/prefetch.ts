import { queryClient } from './api/client.ts';
import { closePlayer, showVideo, playerStore } from './player/state/player-store.ts';
import { router } from './routes.tsx';
import { fetchVideoPage } from './video/page/fetch-page.ts';
import { findCachedVideo } from './api/queries/find-cached-video.ts';
import { getStored } from './ui/use-local-storage.ts';
import { offlineProgressKey, savedIdsKey } from './offline/storage-keys.ts';
import { videoQuery } from './api/queries/video.ts';

// Data prefetched on pointerdown is fresh enough for the click.
const freshMs = 5000;
// Delay after load and after scrolling before prefetching: parsing the player blocks a frame.
const idleMs = 4000;

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href*="/video/"]') : null;
const idOf = (link: HTMLAnchorElement) => {
  const id = /\/video\/([^/]+)\/$/.exec(link.pathname)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
};

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** Starts playback as soon as a link to a video is clicked, while its page still renders. */
function startPlaybackOnClick() {
  let clicked: { id: string; path: string } | null = null;
  let startedPath: string | null = null;
  document.addEventListener(
    'click',
    (event) => {
      const link = linkOf(event);
      const id = link && idOf(link);
      // Links with a start time are handled by the page.
      clicked = id && !link.search && isPlain(event) ? { id, path: link.pathname } : null;
    },
    { capture: true },
  );
  router.subscribe(({ navigation, location }) => {
    const { pathname } = navigation.location ?? location;
    if (clicked?.path === pathname) {
      const video = findCachedVideo(clicked.id)?.video;
      if (video) {
        startedPath = pathname;
        showVideo(video, { plays: true });
      }
      clicked = null;
    }
    // The user navigated away before the page loaded.
    if (startedPath !== null && pathname !== startedPath) {
      startedPath = null;
      if (!playerStore.get().hasSlot && !playerStore.get().isMini) closePlayer();
    }
  });
}

// Errors are reported when the page is opened.
const fetchPage = () => void fetchVideoPage().catch(() => undefined);

/** Sends positions reached offline, and loads the page of saved videos, so that the service worker has its current version. */
function prepareOffline() {
  if (getStored(offlineProgressKey) !== null)
    void import('./offline/offline-progress.ts').then(({ syncOfflineProgress }) => syncOfflineProgress()).catch(() => undefined);
  if (getStored(savedIdsKey) !== null) void import('./offline/OfflineVideos.tsx').catch(() => undefined);
}

function whenIdle(work: () => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(run, idleMs);
  };
  const run = () => {
    removeEventListener('scroll', restart);
    work();
  };
  addEventListener('scroll', restart, { passive: true });
  restart();
}

/**
 * Prefetches the code of the video page when the pointer hovers a link to a video, or when the first page is idle (touch
 * devices have no hover), and the data of the video on pointerdown.
 */
export function startPrefetching(): void {
  const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (!savesData) whenIdle(fetchPage);
  whenIdle(prepareOffline);
  document.addEventListener('pointerover', (event) => {
    if (linkOf(event)) fetchPage();
  });
  document.addEventListener('pointerdown', (event) => {
    const link = linkOf(event);
    const id = link && idOf(link);
    if (id) void queryClient.prefetchQuery({ ...videoQuery(id), staleTime: freshMs });
  });
  startPlaybackOnClick();
}
