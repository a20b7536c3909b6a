import { expect, test } from 'vitest';
import { parseVolumeAndSpeed } from './volume-and-speed.ts';

test.each(['', null, [], { volume: 7, rate: 99, isMuted: 'yes' }, 'not an object'])(
  'uses defaults for invalid stored values (%j)',
  (stored) => expect(parseVolumeAndSpeed(stored)).toEqual({ volume: 1, isMuted: false, rate: 1 }),
);
