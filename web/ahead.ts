import { queryClient } from './api/client.ts';
import { closePlayer, showVideo, stage } from './player/stage.ts';
import { router } from './routes.tsx';
import { fetchVideoPage } from './video/fetch-page.ts';
import { listedVideo } from './video/listed-video.ts';
import { videoQuery } from './video/queries.ts';

// What was fetched while the button went down is as good when it comes up.
const freshMs = 5000;
// A page has come to rest so long after its scripts, and after it was scrolled: the player is much to take in for a frame.
const restMs = 4000;

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href*="/video/"]') : null;
const idOf = (link: HTMLAnchorElement) => {
  const id = /\/video\/([^/]+)\/$/.exec(link.pathname)?.[1];
  return id === undefined ? undefined : decodeURIComponent(id);
};

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** Lets the player begin as soon as somebody goes to a video by a link, while its page is still being drawn. */
function playAhead() {
  let clicked: { id: string; path: string } | null = null;
  let begun: string | null = null;
  document.addEventListener(
    'click',
    (event) => {
      const link = linkOf(event);
      const id = link && idOf(link);
      // Where the link names a second, the page knows what is meant by it.
      clicked = id && !link.search && isPlain(event) ? { id, path: link.pathname } : null;
    },
    { capture: true },
  );
  router.subscribe(({ navigation, location }) => {
    const { pathname } = navigation.location ?? location;
    if (clicked?.path === pathname) {
      const video = listedVideo(clicked.id)?.video;
      if (video) {
        begun = pathname;
        showVideo(video, { plays: true });
      }
      clicked = null;
    }
    // Somebody has gone elsewhere before its page came.
    if (begun !== null && pathname !== begun) {
      begun = null;
      if (!stage.get().hasPlace && !stage.get().isInCorner) closePlayer();
    }
  });
}

// What cannot be had is said when it is gone to.
const fetchPage = () => void fetchVideoPage().catch(() => undefined);

function whenAtRest(work: () => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(begin, restMs);
  };
  const begin = () => {
    removeEventListener('scroll', wait);
    work();
  };
  addEventListener('scroll', wait, { passive: true });
  wait();
}

/**
 * Fetches the page of a video when somebody points at a link to one – a finger does not point, so also when the first page has
 * come to rest – and what it tells when the button goes down on it.
 */
export function fetchAhead(): void {
  const isSparing = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (!isSparing) whenAtRest(fetchPage);
  document.addEventListener('pointerover', (event) => {
    if (linkOf(event)) fetchPage();
  });
  document.addEventListener('pointerdown', (event) => {
    const link = linkOf(event);
    const id = link && idOf(link);
    if (id) void queryClient.prefetchQuery({ ...videoQuery(id), staleTime: freshMs });
  });
  playAhead();
}
