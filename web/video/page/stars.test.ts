import { expect, test } from 'vitest';
import { starsOf } from './stars.ts';

test.each([
  [0.2, 'empty empty empty empty empty'],
  [4.75, 'full full full full full'],
  [3.5, 'full full full half empty'],
  [2.24, 'full full empty empty empty'],
])('shows a rating of %s as %s', (rating, stars) => expect(starsOf(rating).join(' ')).toBe(stars));
