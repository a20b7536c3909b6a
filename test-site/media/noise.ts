/** Deterministic pseudo-random numbers for the painted scenes. */

/** 0–1 for a lattice point. */
export function hash(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1) ^ Math.imul(seed | 0, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

function wrapped(cell: number, period: number): number {
  return period > 0 ? ((cell % period) + period) % period : cell;
}

/** Smooth noise from 0 to 1 with bumps about one unit wide; repeats in x after `period` units (0: never). */
export function noise(x: number, y: number, seed: number, period = 0): number {
  const cellX = Math.floor(x);
  const cellY = Math.floor(y);
  const u = x - cellX;
  const v = y - cellY;
  const easedU = u * u * (3 - 2 * u);
  const easedV = v * v * (3 - 2 * v);
  const left = wrapped(cellX, period);
  const right = wrapped(cellX + 1, period);
  const top = hash(left, cellY, seed) * (1 - easedU) + hash(right, cellY, seed) * easedU;
  const bottom = hash(left, cellY + 1, seed) * (1 - easedU) + hash(right, cellY + 1, seed) * easedU;
  return top * (1 - easedV) + bottom * easedV;
}

/** Fractal noise from 0 to 1. */
export function cloud(x: number, y: number, seed: number, octaves = 4, period = 0): number {
  let sum = 0;
  let weight = 0.5;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave += 1) {
    sum += weight * noise(x * scale, y * scale, seed + octave * 31, period * scale);
    weight /= 2;
    scale *= 2;
  }
  return sum / (1 - weight * 2);
}
