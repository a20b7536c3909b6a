import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSealedAnew, keysOf, seal, unseal } from './seal.ts';

const key = randomBytes(32);
const keys = keysOf(key);

test('what was sealed is read with the same key, and no two look alike', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(unseal(keys, seal(keys, text))).toBe(text.toWellFormed());
    }),
  );
  expect(seal(keys, 'the same')).not.toBe(seal(keys, 'the same'));
});

test('it says how it was sealed, and by which key without giving that away', () => {
  const [way, name, body] = seal(keys, 'a token').split('.');
  expect([way, name]).toEqual(['aes-256-gcm', expect.stringMatching(/^[0-9a-f]{8}$/)]);
  expect(body).not.toContain('a token');
  expect(seal(keys, 'another').split('.')[1]).toBe(name);
  expect(seal(keysOf(randomBytes(32)), 'a token').split('.')[1]).not.toBe(name);
  expect(key.toString('hex')).not.toContain(name);
});

/** As it was done before there were marks. */
function sealedBefore(text: string) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

test('what was sealed before there were marks is read, by a former key as well', () => {
  const [was, now] = [sealedBefore('a token'), keysOf(randomBytes(32), key)];
  expect([unseal(keys, was), unseal(now, was), unseal(now, seal(keys, 'one'))]).toEqual(['a token', 'a token', 'one']);
  expect(() => unseal(keysOf(randomBytes(32)), was)).toThrow(/another key/);
  expect([isSealedAnew(keys, was), isSealedAnew(now, seal(keys, 'x')), isSealedAnew(now, seal(now, 'x'))]).toEqual([
    false,
    false,
    true,
  ]);
});

test('another key, a mark that was changed or taken away, and any bit that was changed, are noticed', () => {
  const [way, name, body = ''] = seal(keys, 'a token').split('.');
  const bytes = Buffer.from(body, 'base64url');
  const withBody = (some: Buffer) => `${way}.${name}.${some.toString('base64url')}`;
  expect(unseal(keys, withBody(bytes))).toBe('a token');
  expect(() => unseal(keysOf(randomBytes(32)), withBody(bytes))).toThrow(/another key/);
  expect(() => unseal(keys, body)).toThrow();
  expect(() => unseal(keys, `${way}.00000000.${body}`)).toThrow();
  expect(() => unseal(keys, `rot13.${name}.${body}`)).toThrow('a way that this version does not know (rot13)');
  expect(() => unseal(keys, `constructor.${name}.${body}`)).toThrow('does not know');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => unseal(keys, withBody(changed))).toThrow();
  }
  for (const cut of [0, 5, 12, 27, bytes.length - 1]) expect(() => unseal(keys, withBody(bytes.subarray(0, cut)))).toThrow();
});
