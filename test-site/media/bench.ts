/** Scenes on a table: wood and bread. */
import { type Colour, hex, mix, NOTHING, pick, ramp, shade, step, veil } from './colour.ts';
import type { Frame, Layer } from './layer.ts';
import { cloud, hash, noise } from './noise.ts';

type Wood = readonly [string, string, string];
const walnut: Wood = ['#2c1a10', '#56351f', '#8a5a36'];
const maple: Wood = ['#b98d5b', '#dcb583', '#f2d9b0'];
const cherry: Wood = ['#6b2f1c', '#a3552f', '#cf8450'];
const oak: Wood = ['#7a5a35', '#ad8450', '#d3ae78'];
const ash: Wood = ['#a58a6a', '#cfb894', '#e9dabd'];

/** Wood grain along x: fine fibres and rings. */
function grain(x: number, y: number, wood: Wood, seed: number, cells = 0): Colour {
  const bend = cloud(x * 0.7, y * 2, seed, 3, cells);
  const rings = 0.5 + 0.5 * Math.sin((y * 9 + bend * 5.5) * 6.28);
  const fibre = noise(x * 6, y * 170, seed + 2, cells * 6);
  const shades = wood.map((code) => hex(code));
  return shade(ramp(shades, 0.2 + 0.5 * rings * (0.4 + bend) + 0.3 * fibre), 0.9 + 0.2 * cloud(x, y * 3, seed + 7, 2, cells));
}

/** Boards, a dovetail joint of two woods, moving warm light. */
export function planks({ seed, aspect }: Frame): Layer[] {
  const [dark, light] = pick(
    [
      [walnut, maple],
      [cherry, ash],
      [oak, walnut],
      [cherry, maple],
    ] as const,
    seed,
  );
  const tails = 3 + (seed % 3);
  const joint = (0.42 + 0.2 * hash(2, 2, seed)) * aspect;
  const paint = (x: number, y: number): Colour => {
    const tail = y * tails;
    const inTail = tail - Math.floor(tail);
    const slant = 0.26 + 0.1 * ((x - joint) / 0.22);
    const between = x > joint && x < joint + 0.22;
    const isDark = x <= joint || (between && Math.abs(inTail - 0.5) < slant);
    const colour = isDark ? grain(x, y, dark, seed) : grain(y * 1.3 + 4, x * 0.8, light, seed + 11);
    const nearEdge = between
      ? Math.abs(Math.abs(inTail - 0.5) - slant) / tails
      : Math.min(Math.abs(x - joint), Math.abs(x - joint - 0.22));
    const seam = (between || Math.abs(inTail - 0.5) > slant - 0.1) && nearEdge < 0.0035 ? 0.45 : 1;
    return shade(colour, seam);
  };
  const lightSpot = (x: number, y: number, phase: number): Colour => {
    const centre = aspect * (0.5 + 0.32 * Math.sin(phase * 6.283));
    const distance = Math.hypot((x - centre) * 0.8, y - 0.35);
    return distance < 0.55 ? hex('#ffdca0', 0.28 * step(0.55, 0.05, distance)) : hex('#120a05', 0.62 * step(0.5, 1.3, distance));
  };
  const dust = (x: number, y: number): Colour => {
    const [cellX, cellY] = [Math.floor(x * 16), Math.floor(y * 16)];
    if (hash(cellX, cellY, seed + 60) > 0.12) return NOTHING;
    const distance = Math.hypot(x * 16 - cellX - 0.5, (y * 16 - cellY - 0.5) * 1.6);
    return hex('#fff1d6', 0.5 * step(0.3 * hash(cellX, cellY, seed + 61) + 0.06, 0, distance));
  };
  return [
    { paint, drift: 0 },
    { paint: lightSpot, drift: 0, phases: 48, hold: 4 },
    { paint: dust, drift: 0.035 },
  ];
}

/** Depth of the cuts at a point of the loaf, 0–1; `radius` 1 is the rim. */
function score(angle: number, radius: number, x: number, y: number, pattern: number): number {
  if (pattern === 0) {
    const veins = Math.abs(((Math.abs(x) * 3.2 - y * 2.6 + 20) % 0.8) - 0.4);
    return Math.max(step(0.05, 0.015, Math.abs(x)), Math.abs(x) < 0.55 ? step(0.09, 0.02, veins) : 0) * step(0.86, 0.7, radius);
  }
  if (pattern === 1) return step(0.09, 0.03, Math.min(Math.abs(x), Math.abs(y))) * step(0.8, 0.6, radius);
  const spiral = Math.abs((((angle / 6.283) * 5 + radius * 1.6 + 10) % 1) - 0.5) / 2;
  return step(0.09 * radius + 0.02, 0.01, spiral) * step(0.9, 0.75, radius) * step(0.12, 0.22, radius);
}

/** A round loaf from above with flour and steam. */
export function loaf({ seed, aspect, period }: Frame): Layer[] {
  const table = pick(['slate', 'wood', 'linen'] as const, seed);
  const [centreX, centreY, size] = [aspect * (0.44 + 0.16 * hash(4, 4, seed)), 0.52, 0.4];
  const crust = ['#3a1a0a', '#7c3d14', '#bf7428', '#e3a851'].map((code) => hex(code));
  const ground = (x: number, y: number): Colour => {
    if (table === 'wood') return shade(grain(x, y, walnut, seed + 4), 0.8);
    if (table === 'linen')
      return shade(
        hex('#d9cdb8'),
        0.85 + 0.12 * noise(x * 220, y * 12, seed) + 0.12 * noise(x * 12, y * 220, seed + 1) - 0.1 * cloud(x * 2, y * 2, seed, 3),
      );
    return shade(hex('#3b4046'), 0.7 + 0.5 * cloud(x * 6, y * 6, seed, 4));
  };
  const paint = (x: number, y: number): Colour => {
    const [dx, dy] = [(x - centreX) / size, (y - centreY) / size];
    const angle = Math.atan2(dy, dx);
    const radius = Math.hypot(dx, dy) * (1 + 0.05 * noise(angle * 1.6 + 9, 2, seed));
    const flourAround = 0.55 * step(0.62, 0.85, cloud(x * 9, y * 9, seed + 2, 4)) * step(1.7, 1, radius);
    const shadow = 1 - 0.55 * step(1.22, 0.95, Math.hypot(dx - 0.07, dy - 0.1));
    const below = mix(shade(ground(x, y), shadow), hex('#efe6d6'), flourAround);
    if (radius > 1) return below;
    const baked = cloud(dx * 4, dy * 4, seed + 3, 5);
    const dome = Math.sqrt(1 - Math.min(1, radius) ** 2);
    const colour = shade(ramp(crust, 0.12 + 0.5 * dome + 0.45 * (baked - 0.3)), 0.75 + 0.35 * dome - 0.2 * dx - 0.2 * dy);
    const flour = step(0.45, 0.75, cloud(dx * 6 + 3, dy * 6, seed + 5, 4)) * dome;
    const cut = score(angle, radius, dx, dy, seed % 3);
    const opened = mix(hex('#f0cf94'), hex('#c98a43'), baked);
    const floured = mix(colour, hex('#f3e9d8'), 0.6 * flour);
    return mix(mix(floured, opened, cut * 0.9), below, step(0.985, 1, radius));
  };
  const cells = Math.max(2, Math.round(period * 2));
  const steam = (x: number, y: number): Colour =>
    veil(hex('#fffaf0'), 0.34 * step(0.5, 0.85, cloud((x / period) * cells, y * 2.2, seed + 30, 4, cells)) * step(1, 0.25, y));
  return [
    { paint, drift: 0 },
    { paint: steam, drift: 0.05 },
  ];
}
