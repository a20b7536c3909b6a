import { describe, expect, test } from 'vitest';
import { decide, type DatedState } from './merge.ts';

const now = 1_800_000_000;
const state = (isWatched: boolean, positionSeconds = 0, at: number | null = null): DatedState => ({
  isWatched,
  positionSeconds,
  at,
});
const [unwatched, watched] = [state(false), state(true)];
const known = (here: DatedState, there = here) => ({ here, there });

describe('the first synchronization', () => {
  test.each([
    ['nothing on both sides', unwatched, unwatched, {}],
    ['watched there', unwatched, state(true, 0, 500), { here: state(true, 0, 500) }],
    ['watched here', state(true, 0, 400), unwatched, { there: state(true, 0, 400) }],
    [
      'watched here, and a newer position there',
      state(true, 0, 400),
      state(false, 90, 500),
      { here: state(true, 90, 500), there: state(true, 90, 400) },
    ],
    ['watched here, and an older position there', state(true, 0, 600), state(false, 90, 500), { there: state(true, 0, 600) }],
    ['positions on both sides', state(false, 30, 400), state(false, 90, 500), { here: state(false, 90, 500) }],
    ['a position here that is newer', state(false, 30, 600), state(false, 90, 500), { there: state(false, 30, 600) }],
    ['a position there without a time', unwatched, state(false, 90), { here: state(false, 90, null) }],
    ['the same position up to a second', state(false, 30, 1), state(false, 31, 2), {}],
  ])('%s', (_, here, there, expected) => {
    const decision = decide(undefined, here, there, now);
    expect(decision).toEqual(expected);
    // Nothing is ever set to unwatched.
    for (const side of [decision.here, decision.there]) if (side) expect(side.isWatched).toBe(here.isWatched || there.isWatched);
  });
});

describe('later synchronizations', () => {
  test.each([
    ['no change', known(watched), watched, watched, {}],
    ['no change of sides that differ', known(unwatched, state(false, 20)), unwatched, state(false, 20), {}],
    ['watched there', known(unwatched), unwatched, state(true, 0, 500), { here: state(true, 0, 500) }],
    [
      'set to unwatched there, without a time',
      known(watched),
      state(true, 0, now - 5),
      unwatched,
      { here: state(false, 0, now) },
    ],
    [
      'set to unwatched there, with the old time',
      known(watched),
      state(true, 0, 900),
      state(false, 0, 500),
      { here: state(false, 0, now) },
    ],
    ['set to unwatched here', known(watched), state(false, 0, 900), state(true, 0, 500), { there: state(false, 0, 900) }],
    [
      'both changed, here later',
      known(unwatched),
      state(false, 40, 900),
      state(false, 80, 500),
      { there: state(false, 40, 900) },
    ],
    [
      'both changed, there later',
      known(unwatched),
      state(false, 40, 400),
      state(false, 80, 500),
      { here: state(false, 80, 500) },
    ],
    ['both changed to the same', known(unwatched), state(true, 0, 400), state(true, 0, 500), {}],
  ])('%s', (_, before, here, there, expected) => {
    expect(decide(before, here, there, now)).toEqual(expected);
  });
});
