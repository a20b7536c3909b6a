/** Scenes with a horizon: a night train, a city at dusk, hills in the morning, a synthwave sun. */
import { type Colour, glow, hex, mix, NOTHING, pick, ramp, shade, step, veil } from './colour.ts';
import type { Frame, Layer } from './layer.ts';
import { cloud, hash, noise } from './noise.ts';
import { starlight } from './sky.ts';

/** A ridge that repeats after the period; everything below it is opaque. */
function ridge(
  { period }: Frame,
  how: { seed: number; bumps: number; top: number; height: number; colours: [string, string]; drift: number },
): Layer {
  const cells = Math.max(2, Math.round(period * how.bumps));
  const [high, low] = [hex(how.colours[0]), hex(how.colours[1])];
  const paint = (x: number, y: number): Colour => {
    const crest = how.top + how.height * (1 - cloud((x / period) * cells, 3, how.seed, 5, cells));
    return y < crest - 0.004 ? NOTHING : veil(mix(high, low, (y - crest) * 2.4), step(crest - 0.004, crest + 0.003, y));
  };
  return { paint, drift: how.drift };
}

function nightSky(frame: Frame, colours: string[], moonAt: number): Layer {
  const shades = colours.map((code) => hex(code));
  const paint = (x: number, y: number): Colour => {
    const distance = Math.hypot(x - moonAt * frame.aspect, y - 0.24);
    const stars = starlight(x, y, { cells: 34, density: 0.3, seed: frame.seed, period: frame.period }) * step(0.7, 0.2, y);
    const lit = glow(ramp(shades, y * 1.3), hex('#fdf3d8'), step(0.062, 0.056, distance) + 0.3 * Math.exp(-distance * 7));
    return glow(lit, hex('#ffffff'), stars);
  };
  return { paint, drift: 0 };
}

const nights = [
  ['#070b1c', '#122047', '#2f3f76', '#7a6a96'],
  ['#0a0714', '#2a1440', '#6b2b58', '#e08a5a'],
  ['#04101a', '#0b2f44', '#23627a', '#8fc0b8'],
] as const;

/** Train carriages with lit windows before mountains under a moon; poles pass by. */
export function train(frame: Frame): Layer[] {
  const { seed, period } = frame;
  const livery = pick(['#26344f', '#5a1f2b', '#1f4a40', '#3c3c44'] as const, seed >> 1);
  const cars = Math.max(2, Math.round(period / 1.15));
  const body = (x: number, y: number): Colour => {
    const [top, bottom] = [0.6, 0.8];
    if (y < top - 0.02 || y > bottom + 0.05) return NOTHING;
    const car = (x / period) * cars;
    const inCar = car - Math.floor(car);
    if (inCar < 0.02) return y > 0.66 && y < bottom ? hex('#0a0c12') : NOTHING;
    const roof = top + 0.012 * (step(0.06, 0.02, inCar) + step(0.94, 0.98, inCar));
    if (y < roof) return NOTHING;
    if (y > bottom) return Math.abs(((inCar * 12) % 3) - 1) < 0.42 ? hex('#0b0d13') : NOTHING;
    const slot = inCar * 9;
    const inSlot = slot - Math.floor(slot);
    const window =
      step(0.16, 0.2, inSlot) * step(0.84, 0.8, inSlot) * step(0.645, 0.65, y) * step(0.712, 0.707, y) * step(0.06, 0.07, inCar);
    const warm = mix(hex('#ffdf9a'), hex('#f2b25c'), hash(Math.floor(slot), Math.floor(car), seed));
    const dark = hash(Math.floor(slot), Math.floor(car), seed + 3) < 0.18;
    const someone = Math.hypot((inSlot - 0.5) * 0.09, y - 0.7) < 0.017 && hash(Math.floor(slot), Math.floor(car), seed + 4) < 0.4;
    const paint = shade(hex(livery), 1.1 - (y - top) * 1.8);
    const stripe = Math.abs(y - 0.745) < 0.006 ? hex('#e9c46a') : paint;
    return mix(stripe, dark || someone ? hex('#3a3340') : warm, window);
  };
  const poles = (x: number, y: number): Colour => {
    const spacing = period / Math.max(1, Math.round(period / 1.6));
    const at = x % spacing;
    const wire = Math.abs(y - (0.36 + 0.05 * Math.sin((at / spacing) * Math.PI))) < 0.0022;
    const mast = (Math.abs(at - 0.06) < 0.008 && y > 0.3) || (Math.abs(y - 0.34) < 0.006 && Math.abs(at - 0.06) < 0.06);
    const sleeper = y > 0.9 && x % 0.1 < 0.05;
    if (mast) return hex('#05060a');
    if (y > 0.86) return hex(Math.abs(y - 0.875) < 0.008 ? '#8b93a8' : sleeper ? '#14131a' : '#0d0e15');
    return wire ? hex('#05060a', 0.8) : NOTHING;
  };
  return [
    nightSky(frame, [...pick(nights, seed)], 0.2 + 0.6 * hash(3, 3, seed)),
    ridge(frame, { seed: seed + 1, bumps: 2, top: 0.3, height: 0.32, colours: ['#2b3560', '#3a4470'], drift: 0.02 }),
    ridge(frame, { seed: seed + 2, bumps: 4, top: 0.5, height: 0.22, colours: ['#141c36', '#0c1122'], drift: 0.1 }),
    { paint: body, drift: -0.06 },
    { paint: poles, drift: 1.3 },
  ];
}

const dusks = [
  ['#1d2b53', '#7e4a7d', '#ee8262', '#ffd28a'],
  ['#2a5d84', '#7fb2c4', '#f5dcb3', '#f7b889'],
  ['#231a3a', '#5b2f6b', '#d0506f', '#ffb347'],
] as const;

/** A row of houses with windows, some lit. */
function houses(
  frame: Frame,
  how: { seed: number; width: number; top: number; height: number; colour: string; lit: number; drift: number },
): Layer {
  const count = Math.max(3, Math.round(frame.period / how.width));
  const wall = hex(how.colour);
  const paint = (x: number, y: number): Colour => {
    const at = (x / frame.period) * count;
    const house = Math.floor(at);
    const roof = how.top + how.height * hash(house, 1, how.seed);
    const spire = hash(house, 2, how.seed) < 0.25 && Math.abs(at - house - 0.5) < 0.03 ? 0.07 : 0;
    if (y < roof - spire) return NOTHING;
    const [column, row] = [Math.floor((at - house) * 6), Math.floor(y * 42)];
    const inPane = (at - house) * 6 - column > 0.35 && y * 42 - row > 0.4 && y > roof + 0.02;
    const on = hash(house * 7 + column, row, how.seed + 5) < how.lit;
    return inPane && on ? hex('#ffd98f') : shade(wall, 1.15 - (y - roof) * 0.5);
  };
  return { paint, drift: how.drift };
}

/** A loose flock of birds flapping their wings. */
function flock({ seed, period }: Frame, colour: string): Layer {
  const birds = Array.from({ length: 14 }, (_, index) => ({
    x: (0.1 + 0.8 * hash(index, 1, seed)) * period,
    y: 0.12 + 0.36 * hash(index, 2, seed),
    size: 0.018 + 0.026 * hash(index, 3, seed),
    beat: hash(index, 4, seed),
  }));
  const paint = (x: number, y: number, phase: number): Colour => {
    for (const bird of birds) {
      const [dx, dy] = [(x - bird.x) / bird.size, (y - bird.y) / bird.size];
      if (Math.abs(dx) > 1 || Math.abs(dy) > 1) continue;
      const lift = 0.45 * Math.sin((phase + bird.beat) * 2 * Math.PI);
      const wing = -Math.sqrt(Math.abs(dx)) * lift + 0.25 * dx * dx;
      const thick = 0.17 * (1 - Math.abs(dx)) + 0.03;
      const cover = step(thick + 0.06, thick, Math.abs(dy - wing)) + step(0.2, 0.14, Math.hypot(dx * 0.9, dy));
      if (cover > 0) return hex(colour, Math.min(1, cover));
    }
    return NOTHING;
  };
  return { paint, drift: -0.09, phases: 10, hold: 2 };
}

/** Roofs and towers at dusk, with birds. */
export function skyline(frame: Frame): Layer[] {
  const { seed } = frame;
  const shades = pick(dusks, seed).map((code) => hex(code));
  const cells = Math.max(2, Math.round(frame.period * 2));
  const sky = (x: number, y: number): Colour => {
    const bank = step(0.48, 0.8, cloud((x / frame.period) * cells, y * 6, seed, 4, cells));
    return mix(ramp(shades, y * 1.25), hex('#fff2dd'), bank * 0.35);
  };
  return [
    { paint: sky, drift: 0.01 },
    houses(frame, { seed: seed + 1, width: 0.13, top: 0.46, height: 0.24, colour: '#6d5a7d', lit: 0.08, drift: 0.02 }),
    flock(frame, '#1b1626'),
    houses(frame, { seed: seed + 2, width: 0.22, top: 0.6, height: 0.25, colour: '#2b2238', lit: 0.24, drift: 0.05 }),
  ];
}

/** Hills in mist, a low sun, birds. */
export function meadow(frame: Frame): Layer[] {
  const { seed } = frame;
  const shades = pick(
    [
      ['#9cc7d8', '#dbe9dd', '#fbe7bd'],
      ['#f2b8a0', '#f8d9b0', '#fdf0cf'],
      ['#7fb0a4', '#bcd9b5', '#f0efc6'],
    ] as const,
    seed,
  );
  const greens = pick(
    [
      ['#7fa58b', '#4f7d63', '#2c5341'],
      ['#a08a6b', '#7b6148', '#4d3a2c'],
      ['#86a86a', '#56803f', '#2e5226'],
    ] as const,
    seed + 1,
  );
  const sky = (x: number, y: number): Colour => {
    const distance = Math.hypot(x - frame.aspect * 0.7, y - 0.36);
    const light = ramp(
      shades.map((code) => hex(code)),
      y * 1.6,
    );
    return glow(light, hex('#fff3c4'), step(0.085, 0.075, distance) * 0.4 + 0.25 * Math.exp(-distance * 4));
  };
  const hill = (index: 0 | 1 | 2, top: number, drift: number) =>
    ridge(frame, { seed: seed + index + 3, bumps: 1 + index, top, height: 0.24, colours: [greens[index], shades[1]], drift });
  return [{ paint: sky, drift: 0 }, hill(0, 0.42, 0.012), flock(frame, '#2b3a33'), hill(1, 0.55, 0.03), hill(2, 0.7, 0.07)];
}

/** A striped sun over a perspective grid. */
export function sunset(frame: Frame): Layer[] {
  const { seed, aspect } = frame;
  const [night, haze, hot, line] = pick(
    [
      ['#12082b', '#5b1a6e', '#ff5f8f', '#35e0ff'],
      ['#06122b', '#143f7a', '#ffb04d', '#ff4fa0'],
      ['#150a20', '#6a1440', '#ff8a3c', '#b26bff'],
    ] as const,
    seed,
  );
  const horizon = 0.6;
  const sky = (x: number, y: number): Colour => {
    const [dx, dy] = [x - aspect / 2, y - 0.4];
    const base = glow(
      mix(hex(night), hex(haze), (y / horizon) ** 2),
      hex('#ffffff'),
      starlight(x, y, { cells: 30, density: 0.25, seed, period: frame.period }),
    );
    const distance = Math.hypot(dx, dy);
    const gap = y > 0.38 && ((y - 0.38) * 22) % 1 < 0.12 + (y - 0.38) * 1.4;
    const sun = gap ? 0 : step(0.245, 0.24, distance);
    return mix(glow(base, hex(hot), 0.3 * Math.exp(-distance * 4)), mix(hex('#ffe36e'), hex(hot), (dy + 0.24) / 0.42), sun);
  };
  const floor = (x: number, y: number, phase: number): Colour => {
    if (y < horizon) return NOTHING;
    const depth = 0.12 / (y - horizon + 0.008);
    const row = (depth * 2.4 + phase) % 1;
    const column = Math.abs((((x - aspect / 2) * depth * 2.2) % 1) + 1.5) % 1;
    const width = 0.02 + depth * 0.012;
    const bright = Math.max(step(width * 1.6, 0, Math.abs(row - 0.5)), step(width, 0, Math.abs(column - 0.5)));
    return glow(mix(hex(haze), hex(night), (y - horizon) * 3), hex(line), bright * (0.95 - 0.6 * Math.min(1, depth / 6)));
  };
  const peaks = ridge(frame, { seed: seed + 4, bumps: 3, top: 0.42, height: 0.24, colours: [night, night], drift: 0.02 });
  const outline = (x: number, y: number): Colour => {
    const colour = peaks.paint(x, y, 0);
    const edge = colour[3] > 0 && peaks.paint(x, y - 0.008, 0)[3] === 0;
    return y > horizon ? NOTHING : edge ? hex(line) : shade(colour, 1 + 0.2 * noise(x * 8, y * 8, seed));
  };
  return [
    { paint: sky, drift: 0 },
    { paint: outline, drift: 0.02 },
    { paint: floor, drift: 0, phases: 16 },
  ];
}
