import { expect, test } from 'vitest';
import { openRing } from './ring.ts';

const later = () => ({ version: 1, until: performance.now() + 60_000 });
const bytesOf = (size: number, value: number) => new Uint8Array(size).fill(value);
const valueOf = (bytes: Uint8Array | undefined) => bytes && [bytes.byteLength, ...new Set(bytes)];

test('what is kept is what was given, the last of each name, and what came first goes first', () => {
  const ring = openRing(1000);
  const kept: { name: string; size: number; value: number }[] = [];
  let seed = 7;
  const some = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let n = 0; n < 20_000; n++) {
    const one = { name: `n${some(40)}`, size: 1 + some(120), value: n % 251 };
    ring.put(one.name, bytesOf(one.size, one.value), later());
    kept.unshift(one);
    kept.splice(300);
    if (n % 50 > 0) continue;
    const names = [...new Set(kept.map(({ name }) => name))];
    const found = ring.get(names, 1);
    // Looking back, all are there until one is missing for want of room, and from then on none.
    let isMissing = false;
    let size = 0;
    for (const [at, name] of names.entries()) {
      const last = kept.find((kept) => kept.name === name)!;
      if (found[at]) {
        expect(isMissing, `${n}: ${name}`).toBe(false);
        expect(valueOf(found[at])).toEqual([last.size, last.value]);
        size += last.size;
      } else isMissing = true;
    }
    expect(size).toBeLessThanOrEqual(1000);
    if (n > 100) expect(size).toBeGreaterThan(300);
  }
});

test('a copy stays what it was, whatever comes after', () => {
  const ring = openRing(100);
  ring.put('a', bytesOf(20, 1), later());
  const given = bytesOf(20, 2);
  ring.put('b', given, later());
  given.fill(9);
  const [a, b] = ring.get(['a', 'b'], 1);
  for (let n = 0; n < 20; n++) ring.put(`n${n}`, bytesOf(20, 3), later());
  expect([valueOf(a), valueOf(b)]).toEqual([
    [20, 1],
    [20, 2],
  ]);
});

test('of another version, too old, too large or empty it is not there', () => {
  const ring = openRing(100);
  ring.put('old', bytesOf(5, 1), { version: 1, until: performance.now() - 1 });
  ring.put('other', bytesOf(5, 1), { ...later(), version: 2 });
  ring.put('large', bytesOf(26, 1), later());
  ring.put('empty', bytesOf(0, 1), later());
  ring.put('good', bytesOf(25, 1), later());
  expect(ring.get(['old', 'other', 'large', 'empty', 'good', 'never'], 1).map(valueOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    [25, 1],
    undefined,
  ]);
});
