import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spansManyMachines, subnetOf, isNetwork, isWideNetwork, isWithin } from './ip-networks.ts';

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
])('in %s, %s: %s', (range, address, expected) => expect(isWithin([range])(address)).toBe(expected));

test('an empty list contains no address, and invalid text is no network', () => {
  expect(isWithin([])('127.0.0.1')).toBe(false);
  expect(isWithin(['10.0.0.0/8'])(undefined)).toBe(false);
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
])('isWideNetwork(%s) is %s', (range, expected) => expect(isWideNetwork(range)).toBe(expected));

test('never throws for any text', () => {
  const isIn = isWithin(['10.0.0.0/8', 'fd00::/8']);
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()),
      (text) => typeof isIn(text) === 'boolean' && typeof subnetOf(text) === 'string',
    ),
  );
});

test('a subnet is one IPv4 address or the first half of an IPv6 address', () => {
  expect(subnetOf('2001:db8:1:2::1')).toBe(subnetOf('2001:db8:1:2:ffff::9'));
  expect(subnetOf('2001:db8:1:2::1')).not.toBe(subnetOf('2001:db8:1:3::1'));
  expect(subnetOf('::ffff:10.0.0.1')).toBe('10.0.0.1');
});

test.each([
  ['172.16.0.0/12', true],
  ['10.1.0.0/16', true],
  ['192.168.1.0/23', true],
  ['192.168.1.0/24', false],
  ['172.18.0.2', false],
  ['fd00::/48', true],
  ['fd00::/64', false],
  ['uniquelocal', true],
  ['loopback', false],
])('spansManyMachines(%s) is %s', (text, expected) => expect(spansManyMachines(text)).toBe(expected));
