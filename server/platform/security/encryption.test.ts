import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSealedWithPresentKey, keysOf, seal, unseal } from './encryption.ts';
import { sealWithoutPurpose } from '../../test-support/encryption.ts';

const key = randomBytes(32);
const keys = keysOf(key);

test('decrypts with the same key, and encrypts equal texts differently', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(unseal(keys, 'oidc-flow', seal(keys, 'oidc-flow', text))).toBe(text.toWellFormed());
    }),
  );
  expect(seal(keys, 'oidc-flow', 'the same')).not.toBe(seal(keys, 'oidc-flow', 'the same'));
});

test('the prefix names the algorithm and the key without revealing it', () => {
  const [algorithm, name, body] = seal(keys, 'oidc-flow', 'a token').split('.');
  expect([algorithm, name]).toEqual(['aes-256-gcm-purpose', expect.stringMatching(/^[0-9a-f]{8}$/)]);
  expect(body).not.toContain('a token');
  expect(seal(keys, 'notify-url', 'another').split('.')[1]).toBe(name);
  expect(seal(keysOf(randomBytes(32)), 'oidc-flow', 'a token').split('.')[1]).not.toBe(name);
  expect(key.toString('hex')).not.toContain(name);
});

test('does not decrypt a value for another purpose', () => {
  const token = seal(keys, 'secret.membership', '{"state":"s"}');
  expect(unseal(keys, 'secret.membership', token)).toBe('{"state":"s"}');
  expect(() => unseal(keys, 'oidc-flow', token)).toThrow(/another purpose/);
  expect(() => unseal(keys, 'secret.cookie', token, { orWithoutPurpose: true })).toThrow(/another purpose/);
  expect(() => unseal(keys, 'token.2', seal(keys, 'token.1', 'x'))).toThrow(/another purpose/);
});

test.each([{ hasPrefix: true }, { hasPrefix: false }])(
  'decrypts a value of an earlier version only to encrypt it again ($hasPrefix)',
  (form) => {
    const [sealed, currentKeys] = [sealWithoutPurpose(key, 'a token', form), keysOf(randomBytes(32), key)];
    expect(() => unseal(keys, 'token.1', sealed)).toThrow('without a purpose');
    const options = { orWithoutPurpose: true };
    expect([unseal(keys, 'token.1', sealed, options), unseal(currentKeys, 'token.1', sealed, options)]).toEqual([
      'a token',
      'a token',
    ]);
    expect(() => unseal(keysOf(randomBytes(32)), 'token.1', sealed, options)).toThrow(/another key/);
    expect(isSealedWithPresentKey(keys, sealed)).toBe(false);
  },
);

test('decrypts a value of a former key and recognizes it as such', () => {
  const [sealed, currentKeys] = [seal(keys, 'token.1', 'one'), keysOf(randomBytes(32), key)];
  expect(unseal(currentKeys, 'token.1', sealed)).toBe('one');
  expect([
    isSealedWithPresentKey(currentKeys, sealed),
    isSealedWithPresentKey(currentKeys, seal(currentKeys, 'token.1', 'x')),
  ]).toEqual([false, true]);
});

test('rejects another key, a changed or missing prefix, and any changed bit', () => {
  const [algorithm, name, body = ''] = seal(keys, 'oidc-flow', 'a token').split('.');
  const bytes = Buffer.from(body, 'base64url');
  const withBody = (some: Buffer) => `${algorithm}.${name}.${some.toString('base64url')}`;
  expect(unseal(keys, 'oidc-flow', withBody(bytes))).toBe('a token');
  expect(() => unseal(keysOf(randomBytes(32)), 'oidc-flow', withBody(bytes))).toThrow(/another key/);
  expect(() => unseal(keys, 'oidc-flow', body)).toThrow();
  expect(() => unseal(keys, 'oidc-flow', `${algorithm}.00000000.${body}`)).toThrow();
  expect(() => unseal(keys, 'oidc-flow', `rot13.${name}.${body}`)).toThrow('a way that this version does not know (rot13)');
  expect(() => unseal(keys, 'oidc-flow', `constructor.${name}.${body}`)).toThrow('does not know');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => unseal(keys, 'oidc-flow', withBody(changed))).toThrow();
  }
  for (const length of [0, 5, 12, 27, bytes.length - 1])
    expect(() => unseal(keys, 'oidc-flow', withBody(bytes.subarray(0, length)))).toThrow();
});
