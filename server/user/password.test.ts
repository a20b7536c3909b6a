import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { generatePassword, hashPassword, isPassword } from './password.ts';

test('is kept as argon2id with 19 MiB, two passes and a salt of its own', async () => {
  const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  const [name, salt = '', hash = ''] = one.split('$');
  const again = argon2Sync('argon2id', {
    message: 'correct horse',
    nonce: Buffer.from(salt, 'base64url'),
    memory: 19 * 1024,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  expect([name, hash]).toEqual(['argon2id', again.toString('base64url')]);
  expect(Buffer.from(salt, 'base64url')).toHaveLength(16);
  expect(one.split('$')[1]).not.toBe(other.split('$')[1]);
});

test('is compared to its last character, in its case, with its spaces, however long it is', async () => {
  for (const password of ['Correct horse', ' of spaces ', `${'x'.repeat(999)}y`, 'пароль из слов', '🐎🔋📎🐎🔋📎']) {
    const kept = await hashPassword(password);
    expect(await isPassword(password, kept)).toBe(true);
    for (const other of [password.slice(0, -1), password.toUpperCase(), password.trim(), `${password} `])
      if (other !== password) expect([other.slice(-20), await isPassword(other, kept)]).toEqual([other.slice(-20), false]);
  }
});

test('is the same however its signs were typed: composed, or letter and accent', async () => {
  expect(await isPassword('cafe\u0301 au lait', await hashPassword('caf\u00e9 au lait'))).toBe(true);
});

test('of nobody it is never right', async () => {
  expect([await isPassword('', undefined), await isPassword('', ''), await isPassword('x', '')]).toEqual([false, false, false]);
});

test('that is generated is another each time', () => {
  expect(new Set(Array.from({ length: 1000 }, generatePassword)).size).toBe(1000);
});
