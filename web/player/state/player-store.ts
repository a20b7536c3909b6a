import type { Video } from '#contract/video.ts';
import { createStore, useStoreValue } from '#web/ui/create-store.ts';

// There is one player with one media element while a video is open. Its container moves between the slot of a page and the mini
// player, so playback continues across pages.

/** Requested start in seconds, instead of the saved position. A new object seeks again. */
export interface StartPosition {
  seconds: number | null;
  /** Where playback pauses once, seconds. */
  end: number | null;
  plays: boolean;
}

interface PlayerState {
  video: Video | null;
  start: StartPosition;
  isMini: boolean;
  isTheater: boolean;
  /** A page currently has a slot for the player. */
  hasSlot: boolean;
  /** The slot is vertical, on the page of shorts, which has no theater mode and no mini player, and where swipes step through them. */
  isPortrait: boolean;
}

export const playerStore = createStore<PlayerState>({
  video: null,
  start: { seconds: null, end: null, plays: false },
  isMini: false,
  isTheater: false,
  hasSlot: false,
  isPortrait: false,
});
export const usePlayerStore = <R>(pick: (state: PlayerState) => R) => useStoreValue(playerStore, pick);

/** Whether the page is arranged for theater mode: the player has the full width, and the bars give way. */
export const useIsTheater = () =>
  usePlayerStore(({ isTheater, hasSlot, isMini, isPortrait }) => isTheater && hasSlot && !isMini && !isPortrait);

let container: HTMLElement | null = null;
let miniContainer: HTMLElement | null = null;
let slot: HTMLElement | null = null;
let element: HTMLVideoElement | null = null;

/** Container that the player renders into; created once. */
export function playerContainer(): HTMLElement {
  container ??= document.createElement('div');
  return container;
}

/** The media element, if it exists. */
export const mediaElement = (): HTMLVideoElement | null => element;
export const setMediaElement = (found: HTMLVideoElement | null) => void (element = found);

type MovableParent = HTMLElement & { moveBefore?(node: Node, before: Node | null): void };

/** `moveBefore` keeps the element's state; elsewhere re-inserting at once continues playback, but loses the focus. */
function move(to: MovableParent | null) {
  const moved = playerContainer();
  if (!to || moved.parentElement === to) return;
  if (to.moveBefore && moved.isConnected && to.isConnected) return to.moveBefore(moved, null);
  const focused = moved.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  to.append(moved);
  focused?.focus({ preventScroll: true });
}

const attachPlayer = () => move(playerStore.get().isMini || !slot ? miniContainer : slot);

/** Called when the mini player's container is mounted. */
export function setMiniContainer(found: HTMLElement | null) {
  miniContainer = found;
  attachPlayer();
}

const isPlaying = () => element !== null && !element.paused && !element.ended;

/** Attaches the player to the slot of a page. Returns a function that releases it: a playing video moves to the mini player. */
export function claimSlot(found: HTMLElement, { isPortrait = false } = {}): () => void {
  slot = found;
  playerStore.set({ isMini: false, hasSlot: true, isPortrait });
  attachPlayer();
  return () => {
    if (slot !== found) return; // another page has attached its slot already
    slot = null;
    playerStore.set({ isPortrait: false });
    // Shorts end when their page is left.
    if (!isPortrait && (isPlaying() || playerStore.get().isMini)) {
      playerStore.set({ hasSlot: false, isMini: true });
      attachPlayer();
    } else {
      playerStore.set({ hasSlot: false });
      closePlayer();
    }
  };
}

/** Opens a video. An open video continues, unless another start is requested. */
export function showVideo(
  video: Video,
  { startAt = null, endAt = null, plays = false }: { startAt?: number | null; endAt?: number | null; plays?: boolean } = {},
) {
  const isSame = playerStore.get().video?.youtube_id === video.youtube_id;
  if (isSame && startAt === null) {
    if (playerStore.get().video !== video) playerStore.set({ video });
    return;
  }
  playerStore.set({ video, start: { seconds: startAt, end: endAt, plays } });
}

/** Moves the player to the mini player or back to its slot. If the focused control is gone, the player gets the focus. */
export function setMiniPlayer(isMini: boolean) {
  const hadFocus = playerContainer().contains(document.activeElement);
  playerStore.set({ isMini });
  attachPlayer();
  if (!hadFocus) return;
  setTimeout(() => {
    if (document.activeElement === document.body)
      playerContainer().querySelector<HTMLElement>('[data-player]')?.focus({ preventScroll: true });
  });
}

/** Closes the mini player; on the page of the video, pauses and returns to the slot. */
export function leavePlayer() {
  element?.pause();
  if (playerStore.get().hasSlot) setMiniPlayer(false);
  else closePlayer();
}

/** Closes the player. */
export function closePlayer() {
  element?.pause();
  playerStore.set({ video: null, isMini: false, isTheater: false });
  container?.remove();
}

/** Seeks and plays. */
export function seekTo(seconds: number) {
  if (!element) return;
  element.currentTime = seconds;
  void element.play().catch(() => {}); // autoplay may be blocked; the position is set all the same
  if (!playerStore.get().isMini) element.scrollIntoView({ block: 'nearest' });
}
