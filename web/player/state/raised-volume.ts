import { createStore } from '#web/ui/create-store.ts';

/** Browsers of Apple are left out: on iPhones and iPads the sound of an AudioContext stops in the background. */
export const canRaise: boolean = navigator.vendor !== 'Apple Computer, Inc.' && 'AudioContext' in window;

/** By how much the playing video is raised (raise-volume.ts). */
export const raisedVolume = createStore({ decibels: 0 });
