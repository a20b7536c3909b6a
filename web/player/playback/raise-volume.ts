import { useEffect } from 'react';
import { raisedVolume } from '../state/raised-volume.ts';

interface Amplifier {
  context: AudioContext;
  gain: GainNode;
}

// The sound of an element that once passed through an AudioContext always does.
const amplifiers = new WeakMap<HTMLMediaElement, Amplifier>();

const fadeSeconds = 0.02;

let sourceCheck: Promise<boolean> | undefined;
/**
 * Returns whether this server sends media itself. An AudioContext is silent for media that the server redirects to a bucket. The request
 * is like that of a media element; its body is not read.
 */
const isSentByServer = (file: string): Promise<boolean> =>
  (sourceCheck ??= (async () => {
    const ending = new AbortController();
    try {
      const { type } = await fetch(file, { mode: 'no-cors', signal: ending.signal });
      return type === 'basic';
    } catch {
      return false; // the security policy of the page forbids to follow the redirect
    } finally {
      ending.abort();
    }
  })());

/** Leads the sound of an element through an AudioContext. Returns null if the browser does not let the page start one now. */
async function createAmplifier(element: HTMLMediaElement, signal: AbortSignal): Promise<Amplifier | null> {
  const context = new AudioContext();
  await context.resume();
  if (signal.aborted || context.state !== 'running') {
    await context.close();
    return null;
  }
  const gain = new GainNode(context);
  context.createMediaElementSource(element).connect(gain).connect(context.destination);
  // Browsers suspend it, for example for a call.
  element.addEventListener('play', () => void context.resume());
  const amplifier = { context, gain };
  amplifiers.set(element, amplifier);
  return amplifier;
}

/** Raises the sound of an element by `decibels` while it is rendered. `file`: address of the video, as media elements request it. */
export function RaiseVolume({ element, decibels, file }: { element: HTMLMediaElement; decibels: number; file: string }): null {
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    let isStarting = false;
    const fadeTo = ({ context, gain }: Amplifier, level: number) =>
      gain.gain.setTargetAtTime(10 ** (level / 20), context.currentTime, fadeSeconds);
    const raise = async () => {
      if (isStarting || !navigator.userActivation.hasBeenActive) return;
      isStarting = true;
      const isSafe = await isSentByServer(file);
      if (!isSafe || signal.aborted) return;
      const amplifier = amplifiers.get(element) ?? (await createAmplifier(element, signal));
      isStarting = false;
      if (!amplifier || signal.aborted) return;
      fadeTo(amplifier, decibels);
      raisedVolume.set({ decibels });
    };
    // A context that is created before the user has done something would not start, and be silent.
    element.addEventListener('playing', () => void raise(), { signal });
    if (!element.paused) void raise();
    return () => {
      ending.abort();
      raisedVolume.set({ decibels: 0 });
      const amplifier = amplifiers.get(element);
      if (amplifier) fadeTo(amplifier, 0);
    };
  }, [element, decibels, file]);
  return null;
}
