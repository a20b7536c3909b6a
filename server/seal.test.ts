import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seal, unseal } from './seal.ts';

const key = randomBytes(32);

test('what was sealed is read with the same key, and no two look alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(unseal(key, seal(key, text))).toBe(text.toWellFormed());
    }),
  );
  expect(seal(key, 'the same')).not.toBe(seal(key, 'the same'));
});

test('another key, and any bit that was changed, are noticed', () => {
  const sealed = Buffer.from(seal(key, 'a token'), 'base64url');
  expect(() => unseal(randomBytes(32), sealed.toString('base64url'))).toThrow();
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => unseal(key, changed.toString('base64url'))).toThrow();
  }
  for (const cut of [0, 5, 12, 27, sealed.length - 1])
    expect(() => unseal(key, sealed.subarray(0, cut).toString('base64url'))).toThrow();
});
