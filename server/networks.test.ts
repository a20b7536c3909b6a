import fc from 'fast-check';
import { expect, test } from 'vitest';
import { householdOf, isNetwork, isWide, within } from './networks.ts';

test.each([
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.1.1.1', true],
  ['10.0.0.7', '10.0.0.7', true],
  ['10.0.0.7', '10.0.0.8', false],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', 'fe80::1', false],
  ['loopback', '127.0.0.1', true],
  ['loopback', '::1', true],
  ['uniquelocal', '192.168.3.4', true],
  ['0.0.0.0/0', '::1', false],
  ['10.0.0.0/8', '', false],
  ['10.0.0.0/8', 'unix:', false],
])('in %s, %s: %s', (range, address, is) => expect(within([range])(address)).toBe(is));

test('nobody is in an empty list, and nonsense is no network', () => {
  expect(within([])('127.0.0.1')).toBe(false);
  expect(within(['10.0.0.0/8'])(undefined)).toBe(false);
  for (const text of ['', 'proxy.lan', '10.0.0.0/33', '10.0.0', 'fd00::/129', '*', '__proto__'])
    expect(isNetwork(text), text).toBe(false);
});

test.each([
  ['0.0.0.0/1', true],
  ['128.0.0.0/7', true],
  ['10.0.0.0/8', false],
  ['172.16.0.0/12', false],
  ['127.0.0.1', false],
  ['::/0', true],
  ['2000::/3', true],
  ['8000::/1', true],
  ['fc00::/6', true],
  ['fd00::/8', false],
  ['2001:db8::/32', false],
  ['loopback', false],
  ['uniquelocal', false],
  ['linklocal', false],
])('%s is too wide for one who is believed: %s', (range, is) => expect(isWide(range)).toBe(is));

test('no text breaks the question', () => {
  const isIn = within(['10.0.0.0/8', 'fd00::/8']);
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      (text) => typeof isIn(text) === 'boolean' && typeof householdOf(text) === 'string',
    ),
  );
});

test('a household is one address of IPv4, and half of one of IPv6', () => {
  expect(householdOf('2001:db8:1:2::1')).toBe(householdOf('2001:db8:1:2:ffff::9'));
  expect(householdOf('2001:db8:1:2::1')).not.toBe(householdOf('2001:db8:1:3::1'));
  expect(householdOf('::ffff:10.0.0.1')).toBe('10.0.0.1');
});
