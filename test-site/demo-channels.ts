/** The channels of the demo. */
import { aChannel } from './builders.ts';

export const trains = aChannel({
  name: 'Night Trains of Europe',
  handle: '@nighttrains',
  description:
    'One traveller, every sleeper car that still runs. Timetables, berths, breakfasts.\n\nNew journeys every second Friday.',
  subscribers: 48_300,
  tags: ['railway', 'travel', 'night train'],
  look: { scene: 'train', seed: 2 },
  initials: 'NT',
});
export const stars = aChannel({
  name: 'Backyard Observatory',
  handle: '@backyardobservatory',
  description: 'A telescope, a garden and a thermos flask. What can be seen tonight, and how.',
  subscribers: 129_000,
  tags: ['astronomy', 'telescope'],
  look: { scene: 'nebula', seed: 1 },
  initials: 'BO',
  layout: 'lockup',
});
export const wood = aChannel({
  name: 'Quiet Joinery',
  handle: '@quietjoinery',
  description: 'Hand tools only. No music, no talking, just wood.',
  subscribers: 310_500,
  tags: ['woodworking', 'hand tools'],
  look: { scene: 'planks', seed: 1 },
  initials: 'Q',
});
export const bread = aChannel({
  name: 'Slow Bread',
  handle: '@slowbread',
  description: 'Flour, water, salt and time.',
  subscribers: 22_700,
  tags: ['bread', 'sourdough', 'baking'],
  look: { scene: 'loaf', seed: 2 },
  initials: 'SB',
});
export const synth = aChannel({
  name: 'Patch Notes',
  handle: '@patchnotes',
  description: 'Modular synthesizers, one cable at a time.',
  subscribers: 8_940,
  tags: ['synthesizer', 'music'],
  look: { scene: 'sunset', seed: 0 },
  initials: 'PN',
  layout: 'lockup',
});
