import { queryClient } from './api/client.ts';
import { fetchVideoPage } from './video/fetch-page.ts';
import { videoQuery } from './video/queries.ts';

// What was fetched while the button went down is as good when it comes up.
const freshMs = 5000;

const linkOf = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href*="/video/"]') : null;
const idOf = (link: HTMLAnchorElement) => /\/video\/([^/]+)\/$/.exec(link.pathname)?.[1];

/** Fetches the page of a video when somebody points at a link to one, and what it tells when the button goes down on it. */
export function fetchAhead(): void {
  document.addEventListener('pointerover', (event) => {
    // What cannot be had is said when it is gone to.
    if (linkOf(event)) fetchVideoPage().catch(() => undefined);
  });
  document.addEventListener('pointerdown', (event) => {
    const link = linkOf(event);
    const id = link && idOf(link);
    if (id) void queryClient.prefetchQuery({ ...videoQuery(decodeURIComponent(id)), staleTime: freshMs });
  });
}
