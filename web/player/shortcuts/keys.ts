import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { isTyping } from '#web/ui/is-typing.ts';
import * as act from '../commands/actions.ts';
import { cycleCaptions, shiftCaptions, resizeCaptions } from '../captions/captions.ts';
import { preferences } from '../state/player-preferences.ts';
import { keyName } from './key-name.ts';
import { keyTarget, type KeyTarget } from './key-target.ts';
import { cycleLoop } from '../playback/loop.ts';
import { toggleAudioOnly } from '../audio/audio-source.ts';
import { hasPicture, hasAudio } from '../audio/pick-audio-track.ts';
import { playerStore } from '../state/player-store.ts';

interface KeyAction {
  keys: string[];
  /** Label in the help. */
  label: string;
  description: MessageDescriptor;
  /** Repeats while the key is held. */
  repeats?: true;
  /** Only while the player has the focus or most of it is visible; otherwise the key scrolls the page. */
  needsView?: true;
  /** Whether the action has an effect now. */
  isAvailable?(target: KeyTarget): boolean;
  /** Called instead of `run` if the action is unavailable, to say why. */
  whenUnavailable?(target: KeyTarget): void;
  run(target: KeyTarget, key: string): void;
}

const hasChapters = ({ video }: KeyTarget) => video.chapters.length > 1;
const hasSubtitles = ({ video }: KeyTarget) => video.subtitles.length > 0;
const isPaused = ({ element }: KeyTarget) => element.paused;

export const keyActions: KeyAction[] = [
  {
    keys: [' ', 'k', 'p'],
    label: 'Space, K, P',
    description: msg`Play or pause`,
    run: ({ element }) => act.togglePaused(element),
  },
  {
    keys: ['ArrowLeft'],
    label: '←',
    description: msg`Back 5 seconds`,
    repeats: true,
    run: ({ element }) => act.seekBy(element, -5),
  },
  {
    keys: ['ArrowRight'],
    label: '→',
    description: msg`Forward 5 seconds`,
    repeats: true,
    run: ({ element }) => act.seekBy(element, 5),
  },
  { keys: ['j'], label: 'J', description: msg`Back 10 seconds`, repeats: true, run: ({ element }) => act.seekBy(element, -10) },
  { keys: ['l'], label: 'L', description: msg`Forward 10 seconds`, repeats: true, run: ({ element }) => act.seekBy(element, 10) },
  {
    keys: [...'0123456789'],
    label: '0 – 9',
    description: msg`Jump to 10–90%`,
    run: ({ element }, key) => act.seekToTime(element, ((element.duration || 0) * Number(key)) / 10),
  },
  { keys: ['Home'], label: 'Home', description: msg`Jump to start`, run: ({ element }) => act.seekToTime(element, 0) },
  { keys: ['End'], label: 'End', description: msg`Jump to end`, run: ({ element }) => act.seekToTime(element, element.duration) },
  {
    keys: [','],
    label: ',',
    description: msg`Previous frame`,
    repeats: true,
    isAvailable: isPaused,
    run: ({ element }) => void act.stepFrame(element, -1),
  },
  {
    keys: ['.'],
    label: '.',
    description: msg`Next frame`,
    repeats: true,
    isAvailable: isPaused,
    run: ({ element }) => void act.stepFrame(element, 1),
  },
  { keys: ['<'], label: '<', description: msg`Slower`, run: ({ element }) => act.changeRate(element, -1) },
  { keys: ['>'], label: '>', description: msg`Faster`, run: ({ element }) => act.changeRate(element, 1) },
  { keys: ['='], label: '=', description: msg`Normal speed`, run: ({ element }) => act.setRate(element, 1) },
  {
    keys: ['ArrowUp'],
    label: '↑',
    description: msg`Volume up (player in view)`,
    repeats: true,
    needsView: true,
    run: ({ element }) => act.changeVolume(element, 1),
  },
  {
    keys: ['ArrowDown'],
    label: '↓',
    description: msg`Volume down (player in view)`,
    repeats: true,
    needsView: true,
    run: ({ element }) => act.changeVolume(element, -1),
  },
  { keys: ['m'], label: 'M', description: msg`Mute or unmute`, run: ({ element }) => act.toggleMuted(element) },
  {
    keys: ['s'],
    label: 'S',
    description: msg`Audio only on or off`,
    isAvailable: ({ video }) => hasPicture(video) && hasAudio(video),
    run: toggleAudioOnly,
  },
  {
    keys: ['c'],
    label: 'C',
    description: msg`Next captions or off`,
    isAvailable: hasSubtitles,
    whenUnavailable: ({ element }) => cycleCaptions(element, 1),
    run: ({ element }) => cycleCaptions(element, 1),
  },
  {
    keys: ['Shift+c'],
    label: 'Shift C',
    description: msg`Previous captions`,
    isAvailable: hasSubtitles,
    run: ({ element }) => cycleCaptions(element, -1),
  },
  { keys: ['+'], label: '+', description: msg`Larger captions`, isAvailable: hasSubtitles, run: () => resizeCaptions(1) },
  { keys: ['-'], label: '−', description: msg`Smaller captions`, isAvailable: hasSubtitles, run: () => resizeCaptions(-1) },
  {
    keys: ['g'],
    label: 'G',
    description: msg`Captions earlier`,
    isAvailable: hasSubtitles,
    run: ({ element }) => shiftCaptions(element, -1),
  },
  {
    keys: ['h'],
    label: 'H',
    description: msg`Captions later`,
    isAvailable: hasSubtitles,
    run: ({ element }) => shiftCaptions(element, 1),
  },
  {
    keys: ['f'],
    label: 'F',
    description: msg`Full screen`,
    run: ({ element, frame, fail }) => void act.toggleFullscreen(element, frame, fail),
  },
  {
    keys: ['t'],
    label: 'T',
    description: msg`Theater mode`,
    isAvailable: () => playerStore.get().hasSlot && !playerStore.get().isPortrait,
    run: act.toggleTheater,
  },
  {
    keys: ['Escape'],
    label: 'Esc',
    description: msg`Exit theater mode`,
    isAvailable: () => playerStore.get().isTheater,
    run: act.toggleTheater,
  },
  {
    keys: ['i'],
    label: 'I',
    description: msg`Mini player on or off`,
    run: ({ openPage }) => (playerStore.get().hasSlot && !playerStore.get().isPortrait ? act.toggleMiniPlayer() : openPage()),
  },
  {
    keys: ['Shift+i'],
    label: 'Shift I',
    description: msg`Picture-in-picture`,
    isAvailable: () => document.pictureInPictureEnabled,
    run: ({ element }) => void act.togglePictureInPicture(element),
  },
  {
    keys: ['Shift+n'],
    label: 'Shift N',
    description: msg`Next video`,
    isAvailable: (target) => target.hasNext(),
    run: (target) => target.next(),
  },
  {
    keys: ['Shift+p'],
    label: 'Shift P',
    description: msg`Previous video`,
    isAvailable: (target) => target.hasPrevious(),
    run: (target) => target.previous(),
  },
  {
    keys: ['Chapter+ArrowLeft'],
    label: 'Ctrl ← (⌥ ←)',
    description: msg`Previous chapter`,
    isAvailable: hasChapters,
    run: ({ element, video: shown }) => act.goToChapter(element, shown, -1),
  },
  {
    keys: ['Chapter+ArrowRight'],
    label: 'Ctrl → (⌥ →)',
    description: msg`Next chapter`,
    isAvailable: hasChapters,
    run: ({ element, video: shown }) => act.goToChapter(element, shown, 1),
  },
  {
    keys: ['r'],
    label: 'R',
    description: msg`Go to transcript and back`,
    isAvailable: (target) => hasSubtitles(target) && playerStore.get().hasSlot,
    run: ({ toggleTranscript }) => toggleTranscript(),
  },
  { keys: ['n'], label: 'N', description: msg`Write a note`, run: ({ writeNote }) => writeNote() },
  { keys: ['b'], label: 'B', description: msg`Bookmark: set, end its range`, run: ({ setBookmark }) => setBookmark() },
  {
    keys: ['u'],
    label: 'U',
    description: msg`Save screenshot`,
    run: ({ video: shown, element }) => void act.takeScreenshot(shown, element),
  },
  {
    keys: ['y'],
    label: 'Y',
    description: msg`Copy link at current time`,
    run: ({ video: shown, element }) => void act.copyLink(shown, element),
  },
  { keys: ['d'], label: 'D', description: msg`Playback stats`, run: ({ toggleStats }) => toggleStats() },
  { keys: ['a'], label: 'A', description: msg`Loop: set start, set end, off`, run: ({ element }) => cycleLoop(element) },
  { keys: ['?'], label: '?', description: msg`Show keyboard shortcuts`, run: ({ toggleHelp }) => toggleHelp() },
];

const hasOwnKeys = 'input, [role="listbox"]';
const movesByArrows =
  '[role="slider"], [role="radio"], [role="tab"], [role="radiogroup"], [role="menu"], [role="menubar"], [role="grid"]';
const isSingle = (key: string) => /^[^ \d]$/.test(key) || key.startsWith('Shift+');

/** Whether more than half of the player is visible. */
function isInView(frame: HTMLElement): boolean {
  const { top, bottom, height } = frame.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) > height / 2;
}

/** Whether another element handles the key. */
function isHandledElsewhere(event: Event, target: Element, key: string, isInside: boolean): boolean {
  if (isTyping(event) || target.closest(hasOwnKeys) || document.querySelector('dialog[open]')) return true;
  if (key === ' ' && target.closest('button, a, [role="button"], [role="slider"], summary')) return true;
  if (/^(Arrow|Home|End)/.test(key) && target.closest(movesByArrows)) return true;
  const { keys } = preferences();
  // Outside of the player, arrows and space belong to the page.
  if (!isInside && !playerStore.get().hasSlot && !isSingle(key)) return true;
  if (keys === 'off') return isSingle(key) || /^\d$/.test(key) || (!isInside && key !== 'Escape');
  return keys === 'player' && !isInside && key !== 'Escape';
}

/** Listens for shortcuts. Returns a cleanup function. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const now = keyTarget();
    const key = keyName(event);
    if (!now || !key || event.defaultPrevented || !(event.target instanceof Element)) return;
    const isInside = now.frame.contains(event.target);
    if (isHandledElsewhere(event, event.target, key, isInside)) return;
    const action = keyActions.find(({ keys }) => keys.includes(key));
    if (!action || (action.needsView && !isInside && !isInView(now.frame))) return;
    const isVain = action.isAvailable?.(now) === false;
    if (isVain && !action.whenUnavailable) return;
    event.preventDefault();
    if (event.repeat && !action.repeats) return;
    if (isVain) action.whenUnavailable?.(now);
    else action.run(now, key);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
