/** What a key does to a player; the player itself knows these too while it has the focus. */
export const keyHelp: [keys: string, does: string][] = [
  ['Space, K, P', 'Play or pause'],
  ['← →', '5 seconds back or on'],
  ['J L', '10 seconds back or on'],
  ['0 – 9', 'To that tenth of the video'],
  ['↑ ↓', 'Louder or quieter (player focused)'],
  ['M', 'Sound off or on'],
  ['C', 'Captions off or on'],
  ['F', 'Full screen'],
  ['I', 'Picture in picture'],
  ['T', 'Theatre'],
  ['< >', 'Slower or faster'],
  ['=', 'Normal speed'],
  [', .', 'One picture back or on, while paused'],
  ['?', 'This list'],
];

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** The next speed up (1) or down (−1). */
export function nextRate(rate: number, direction: 1 | -1): number {
  if (direction === 1) return rates.find((one) => one > rate + 0.01) ?? rates.at(-1)!;
  return rates.findLast((one) => one < rate - 0.01) ?? rates[0]!;
}

const clamp = (seconds: number, video: HTMLVideoElement) => Math.max(0, Math.min(seconds, video.duration || 0));

/** Switches captions: off when any show, else on, in the language of the browser where there is one. */
function toggleCaptions(video: HTMLVideoElement) {
  const tracks = [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions');
  const shown = tracks.find((track) => track.mode === 'showing');
  if (shown) shown.mode = 'disabled';
  else {
    const mine = tracks.find((track) => navigator.language.startsWith(track.language)) ?? tracks[0];
    if (mine) mine.mode = 'showing';
  }
}

const actions: Record<string, (video: HTMLVideoElement) => void> = {
  ' ': (video) => void (video.paused ? video.play() : video.pause()),
  arrowleft: (video) => (video.currentTime = clamp(video.currentTime - 5, video)),
  arrowright: (video) => (video.currentTime = clamp(video.currentTime + 5, video)),
  j: (video) => (video.currentTime = clamp(video.currentTime - 10, video)),
  l: (video) => (video.currentTime = clamp(video.currentTime + 10, video)),
  m: (video) => (video.muted = !video.muted),
  c: toggleCaptions,
  i: (video) => void (document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture()),
  '<': (video) => (video.playbackRate = nextRate(video.playbackRate, -1)),
  '>': (video) => (video.playbackRate = nextRate(video.playbackRate, 1)),
  '=': (video) => (video.playbackRate = 1),
  ',': (video) => void (video.paused && (video.currentTime = clamp(video.currentTime - 1 / 25, video))),
  '.': (video) => void (video.paused && (video.currentTime = clamp(video.currentTime + 1 / 25, video))),
};
actions['k'] = actions['p'] = actions[' ']!;

// What the player does by itself while it has the focus; twice would be undone.
const playersOwn = new Set([
  ' ',
  'k',
  'm',
  'f',
  'c',
  'i',
  'arrowleft',
  'arrowright',
  'arrowup',
  'arrowdown',
  'j',
  'l',
  '<',
  '>',
  ...'0123456789',
]);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
const isPressed = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('button, a, [role="button"], [role="slider"], summary') !== null;

interface Around {
  video: HTMLVideoElement;
  /** The element that goes full screen. */
  frame: HTMLElement;
  toggleTheatre(): void;
  showHelp(): void;
}

/** Makes the keys work on the whole page, except while somebody types. Answers what ends that. */
export function listenToKeys({ video, frame, toggleTheatre, showHelp }: Around): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const key = event.key.toLowerCase();
    const isInside = event.target instanceof Node && frame.contains(event.target);
    if (isInside && playersOwn.has(key)) return;
    if (key === ' ' && isPressed(event.target)) return;
    if (key === 'f') void (document.fullscreenElement ? document.exitFullscreen() : frame.requestFullscreen());
    else if (key === 't') toggleTheatre();
    else if (key === '?') showHelp();
    else if (/^\d$/.test(key)) video.currentTime = ((video.duration || 0) * Number(key)) / 10;
    else if (actions[key]) actions[key](video);
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
