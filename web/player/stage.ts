import type { Video } from '#contract/video.ts';
import { makeStore, usePart } from './store.ts';

// There is one player, and one media element in it, for as long as something is shown. It stands in a box that is moved about:
// into the place a page keeps for it, or into the corner. So what plays goes on playing wherever somebody goes.

/** Where a video is to begin: there instead of where the person stopped, seconds. Another one each time it is asked for. */
export interface Beginning {
  seconds: number | null;
  plays: boolean;
}

interface Stage {
  video: Video | null;
  beginning: Beginning;
  isInCorner: boolean;
  isTheatre: boolean;
  /** A page has a place for the player of this video just now. */
  hasPlace: boolean;
}

export const stage = makeStore<Stage>({
  video: null,
  beginning: { seconds: null, plays: false },
  isInCorner: false,
  isTheatre: false,
  hasPlace: false,
});
export const useStage = <R>(pick: (stage: Stage) => R) => usePart(stage, pick);

let box: HTMLElement | null = null;
let corner: HTMLElement | null = null;
let place: HTMLElement | null = null;
let element: HTMLVideoElement | null = null;

/** The box that the player is drawn in; it is made when first asked for, and never again. */
export function boxOfPlayer(): HTMLElement {
  box ??= document.createElement('div');
  return box;
}

/** The media element, while there is one. */
export const mediaElement = (): HTMLVideoElement | null => element;
export const setMedia = (found: HTMLVideoElement | null) => void (element = found);

type Mover = HTMLElement & { moveBefore?(node: Node, before: Node | null): void };

/**
 * Where a browser can move what is alive it does; elsewhere a box that is put in again at once goes on as well, but must be
 * given the focus back.
 */
function move(to: Mover | null) {
  const moved = boxOfPlayer();
  if (!to || moved.parentElement === to) return;
  if (to.moveBefore && moved.isConnected && to.isConnected) return to.moveBefore(moved, null);
  const focused = moved.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  to.append(moved);
  focused?.focus({ preventScroll: true });
}

const settle = () => move(stage.get().isInCorner || !place ? corner : place);

/** The corner of the window has been drawn. */
export function setCorner(found: HTMLElement | null) {
  corner = found;
  settle();
}

const isRunning = () => element !== null && !element.paused && !element.ended;

/** A page has a place for the player. Answers what is called before that place goes: what plays then goes on in the corner. */
export function takePlace(found: HTMLElement): () => void {
  place = found;
  stage.set({ isInCorner: false, hasPlace: true });
  settle();
  return () => {
    if (place !== found) return; // another page has its own already
    place = null;
    if (isRunning() || stage.get().isInCorner) {
      stage.set({ hasPlace: false, isInCorner: true });
      settle();
    } else {
      stage.set({ hasPlace: false });
      closePlayer();
    }
  };
}

/** Shows a video. One that is shown already goes on, unless it is to begin elsewhere. */
export function showVideo(video: Video, { startAt = null, plays = false }: { startAt?: number | null; plays?: boolean } = {}) {
  const isSame = stage.get().video?.youtube_id === video.youtube_id;
  if (isSame && startAt === null) {
    if (stage.get().video !== video) stage.set({ video });
    return;
  }
  stage.set({ video, beginning: { seconds: startAt, plays } });
}

/** Into the corner, or back to its page's place. What had the focus may not be there any more: then the player itself has it. */
export function setInCorner(isInCorner: boolean) {
  const hadFocus = boxOfPlayer().contains(document.activeElement);
  stage.set({ isInCorner });
  settle();
  if (!hadFocus) return;
  setTimeout(() => {
    if (document.activeElement === document.body)
      boxOfPlayer().querySelector<HTMLElement>('[data-player]')?.focus({ preventScroll: true });
  });
}

/** Nothing is shown any more; on the page of the video it is stopped and stands in its place again. */
export function leavePlayer() {
  element?.pause();
  if (stage.get().hasPlace) setInCorner(false);
  else closePlayer();
}

/** Nothing is shown any more, wherever it was. */
export function closePlayer() {
  element?.pause();
  stage.set({ video: null, isInCorner: false, isTheatre: false });
  box?.remove();
}

/** Goes to a second and plays from there. */
export function seekTo(seconds: number) {
  if (!element) return;
  element.currentTime = seconds;
  void element.play().catch(() => {}); // a browser may want a click first; the place is right all the same
  if (!stage.get().isInCorner) element.scrollIntoView({ block: 'nearest' });
}
