/** Colours as red, green, blue from 0 to 255, and opacity from 0 to 1. */
export type Colour = readonly [number, number, number, number];

/** Parses `#rrggbb`. */
export function hex(code: string, cover = 1): Colour {
  const value = Number.parseInt(code.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255, cover];
}

export const NOTHING: Colour = [0, 0, 0, 0];

export function mix(from: Colour, to: Colour, amount: number): Colour {
  const t = amount < 0 ? 0 : amount > 1 ? 1 : amount;
  const other = 1 - t;
  return [from[0] * other + to[0] * t, from[1] * other + to[1] * t, from[2] * other + to[2] * t, from[3] * other + to[3] * t];
}

/** Adds light: never darker than `below`. */
export function glow(below: Colour, light: Colour, amount: number): Colour {
  return [
    below[0] + light[0] * amount,
    below[1] + light[1] * amount,
    below[2] + light[2] * amount,
    Math.min(1, below[3] + amount),
  ];
}

export function shade(colour: Colour, amount: number): Colour {
  return [colour[0] * amount, colour[1] * amount, colour[2] * amount, colour[3]];
}

export function veil(colour: Colour, cover: number): Colour {
  return [colour[0], colour[1], colour[2], cover];
}

/** Interpolates in a gradient from 0 to 1. */
export function ramp(colours: readonly Colour[], at: number): Colour {
  const position = Math.min(0.9999, Math.max(0, at)) * (colours.length - 1);
  const index = Math.floor(position);
  return mix(colours[index] ?? NOTHING, colours[index + 1] ?? NOTHING, position - index);
}

/** Smoothstep: 0 below `from`, 1 above `to`; decreasing if `from` is larger. */
export function step(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

/** Returns an item of a list by a seed. */
export function pick<Thing>(list: readonly Thing[], seed: number): Thing {
  return list[Math.abs(seed) % list.length] as Thing;
}
