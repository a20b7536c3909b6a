import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { isTyping } from '#web/ui/typing.ts';
import * as act from './actions.ts';
import { cycleCaptions, moveCaptions, resizeCaptions } from './captions.ts';
import { choices } from './choices.ts';
import { keyName } from './key-name.ts';
import { keyTarget, type KeyTarget } from './key-target.ts';
import { markLoop } from './loop.ts';
import { toggleSoundOnly } from './sound.ts';
import { hasPicture, hasSound } from './sound-wish.ts';
import { stage } from './stage.ts';

interface KeyAction {
  keys: string[];
  /** As the help shows them. */
  shown: string;
  does: MessageDescriptor;
  /** Goes on while it is held. */
  repeats?: true;
  /** Only while the player has the focus: elsewhere the page scrolls with it. */
  inside?: true;
  /** Whether it would do something just now. */
  works?(target: KeyTarget): boolean;
  /** What it does all the same where it does not work: says why. */
  inVain?(target: KeyTarget): void;
  run(target: KeyTarget, key: string): void;
}

const hasChapters = ({ shown }: KeyTarget) => shown.chapters.length > 1;
const hasSubtitles = ({ shown }: KeyTarget) => shown.subtitles.length > 0;
const isPaused = ({ element }: KeyTarget) => element.paused;

/** Every key there is. */
export const keyActions: KeyAction[] = [
  { keys: [' ', 'k', 'p'], shown: 'Space, K, P', does: msg`Play or pause`, run: ({ element }) => act.togglePaused(element) },
  { keys: ['ArrowLeft'], shown: '←', does: msg`5 seconds back`, repeats: true, run: ({ element }) => act.goBy(element, -5) },
  { keys: ['ArrowRight'], shown: '→', does: msg`5 seconds on`, repeats: true, run: ({ element }) => act.goBy(element, 5) },
  { keys: ['j'], shown: 'J', does: msg`10 seconds back`, repeats: true, run: ({ element }) => act.goBy(element, -10) },
  { keys: ['l'], shown: 'L', does: msg`10 seconds on`, repeats: true, run: ({ element }) => act.goBy(element, 10) },
  {
    keys: [...'0123456789'],
    shown: '0 – 9',
    does: msg`To that tenth of the video`,
    run: ({ element }, key) => act.goTo(element, ((element.duration || 0) * Number(key)) / 10),
  },
  { keys: ['Home'], shown: 'Home', does: msg`To the start`, run: ({ element }) => act.goTo(element, 0) },
  { keys: ['End'], shown: 'End', does: msg`To the end`, run: ({ element }) => act.goTo(element, element.duration) },
  {
    keys: [','],
    shown: ',',
    does: msg`One picture back`,
    repeats: true,
    works: isPaused,
    run: ({ element }) => void act.stepFrame(element, -1),
  },
  {
    keys: ['.'],
    shown: '.',
    does: msg`One picture on`,
    repeats: true,
    works: isPaused,
    run: ({ element }) => void act.stepFrame(element, 1),
  },
  { keys: ['<'], shown: '<', does: msg`Slower`, run: ({ element }) => act.changeRate(element, -1) },
  { keys: ['>'], shown: '>', does: msg`Faster`, run: ({ element }) => act.changeRate(element, 1) },
  { keys: ['='], shown: '=', does: msg`Normal speed`, run: ({ element }) => act.setRate(element, 1) },
  {
    keys: ['ArrowUp'],
    shown: '↑',
    does: msg`Louder (player focused)`,
    repeats: true,
    inside: true,
    run: ({ element }) => act.changeVolume(element, 1),
  },
  {
    keys: ['ArrowDown'],
    shown: '↓',
    does: msg`Quieter (player focused)`,
    repeats: true,
    inside: true,
    run: ({ element }) => act.changeVolume(element, -1),
  },
  { keys: ['m'], shown: 'M', does: msg`Sound off or on`, run: ({ element }) => act.toggleMuted(element) },
  {
    keys: ['s'],
    shown: 'S',
    does: msg`Only the sound, or the picture again`,
    works: ({ shown }) => hasPicture(shown) && hasSound(shown),
    run: toggleSoundOnly,
  },
  {
    keys: ['c'],
    shown: 'C',
    does: msg`Next captions, or none`,
    works: hasSubtitles,
    inVain: ({ element }) => cycleCaptions(element, 1),
    run: ({ element }) => cycleCaptions(element, 1),
  },
  {
    keys: ['Shift+c'],
    shown: 'Shift C',
    does: msg`Captions before`,
    works: hasSubtitles,
    run: ({ element }) => cycleCaptions(element, -1),
  },
  { keys: ['+'], shown: '+', does: msg`Larger captions`, works: hasSubtitles, run: () => resizeCaptions(1) },
  { keys: ['-'], shown: '−', does: msg`Smaller captions`, works: hasSubtitles, run: () => resizeCaptions(-1) },
  { keys: ['g'], shown: 'G', does: msg`Captions earlier`, works: hasSubtitles, run: ({ element }) => moveCaptions(element, -1) },
  { keys: ['h'], shown: 'H', does: msg`Captions later`, works: hasSubtitles, run: ({ element }) => moveCaptions(element, 1) },
  {
    keys: ['f'],
    shown: 'F',
    does: msg`Full screen`,
    run: ({ element, frame, fail }) => void act.toggleFullscreen(element, frame, fail),
  },
  { keys: ['t'], shown: 'T', does: msg`Theatre`, works: () => stage.get().hasPlace, run: act.toggleTheatre },
  { keys: ['Escape'], shown: 'Esc', does: msg`Leave the theatre`, works: () => stage.get().isTheatre, run: act.toggleTheatre },
  {
    keys: ['i'],
    shown: 'I',
    does: msg`Into the corner, or back`,
    run: ({ openPage }) => (stage.get().hasPlace ? act.toggleCorner() : openPage()),
  },
  {
    keys: ['Shift+i'],
    shown: 'Shift I',
    does: msg`Picture in picture`,
    works: () => document.pictureInPictureEnabled,
    run: ({ element }) => void act.togglePictureInPicture(element),
  },
  {
    keys: ['Shift+n'],
    shown: 'Shift N',
    does: msg`Next video`,
    works: (target) => target.hasNext(),
    run: (target) => target.next(),
  },
  {
    keys: ['Shift+p'],
    shown: 'Shift P',
    does: msg`Video before`,
    works: (target) => target.hasPrevious(),
    run: (target) => target.previous(),
  },
  {
    keys: ['Chapter+ArrowLeft'],
    shown: 'Ctrl ← (⌥ ←)',
    does: msg`Chapter before`,
    works: hasChapters,
    run: ({ element, shown }) => act.goToChapter(element, shown, -1),
  },
  {
    keys: ['Chapter+ArrowRight'],
    shown: 'Ctrl → (⌥ →)',
    does: msg`Next chapter`,
    works: hasChapters,
    run: ({ element, shown }) => act.goToChapter(element, shown, 1),
  },
  {
    keys: ['r'],
    shown: 'R',
    does: msg`Into the transcript, and back`,
    works: (target) => hasSubtitles(target) && stage.get().hasPlace,
    run: ({ toggleTranscript }) => toggleTranscript(),
  },
  { keys: ['u'], shown: 'U', does: msg`Save the picture`, run: ({ shown, element }) => void act.takeScreenshot(shown, element) },
  {
    keys: ['y'],
    shown: 'Y',
    does: msg`Copy a link to this second`,
    run: ({ shown, element }) => void act.copyLink(shown, element),
  },
  { keys: ['d'], shown: 'D', does: msg`Figures about the playback`, run: ({ toggleStats }) => toggleStats() },
  { keys: ['a'], shown: 'A', does: msg`Loop: from here, to here, off`, run: ({ element }) => markLoop(element) },
  { keys: ['?'], shown: '?', does: msg`This list`, run: ({ toggleHelp }) => toggleHelp() },
];

const hasOwnKeys = 'input, [role="listbox"]';
const movesByArrows = '[role="slider"], [role="radio"], [role="tab"], [role="radiogroup"], [role="menubar"], [role="grid"]';
const isSingle = (key: string) => /^[^ \d]$/.test(key) || key.startsWith('Shift+');

/** Whether a key is meant for something else than the player. */
function isForOthers(event: Event, target: Element, key: string, isInside: boolean): boolean {
  if (isTyping(event) || target.closest(hasOwnKeys) || document.querySelector('dialog[open]')) return true;
  if (key === ' ' && target.closest('button, a, [role="button"], [role="slider"], summary')) return true;
  if (/^(Arrow|Home|End)/.test(key) && target.closest(movesByArrows)) return true;
  const { keys } = choices();
  // While somebody looks around elsewhere, their arrows and the space bar belong to the page.
  if (!isInside && !stage.get().hasPlace && !isSingle(key)) return true;
  if (keys === 'off') return isSingle(key) || /^\d$/.test(key) || (!isInside && key !== 'Escape');
  return keys === 'player' && !isInside && key !== 'Escape';
}

/** Makes the keys work. Answers what ends that. */
export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const now = keyTarget();
    const key = keyName(event);
    if (!now || !key || event.defaultPrevented || !(event.target instanceof Element)) return;
    const isInside = now.frame.contains(event.target);
    if (isForOthers(event, event.target, key, isInside)) return;
    const action = keyActions.find(({ keys }) => keys.includes(key));
    if (!action || (action.inside && !isInside)) return;
    const isVain = action.works?.(now) === false;
    if (isVain && !action.inVain) return;
    event.preventDefault();
    if (event.repeat && !action.repeats) return;
    if (isVain) action.inVain?.(now);
    else action.run(now, key);
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
