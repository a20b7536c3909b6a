/** Scenes of the night sky. */
import { type Colour, glow, hex, mix, pick, ramp, shade, step, veil } from './colour.ts';
import type { Frame, Layer } from './layer.ts';
import { cloud, hash, noise } from './noise.ts';

/** Brightness of stars at a point, mostly 0; `cells` per height, `density` is the share of cells with a star. */
export function starlight(
  x: number,
  y: number,
  { cells, density, seed, period }: { cells: number; density: number; seed: number; period: number },
) {
  const columns = Math.max(1, Math.round(period * cells));
  const cellX = Math.floor((x / period) * columns);
  const cellY = Math.floor(y * cells);
  if (hash(cellX, cellY, seed) > density) return 0;
  const starX = ((cellX + 0.25 + 0.5 * hash(cellX, cellY, seed + 1)) / columns) * period;
  const starY = (cellY + 0.25 + 0.5 * hash(cellX, cellY, seed + 2)) / cells;
  const size = 0.0008 + 0.0028 * hash(cellX, cellY, seed + 3) ** 4;
  const distance = Math.hypot(x - starX, y - starY);
  return Math.min(1.2, (size / (distance + 0.0006)) ** 2);
}

const nebulae = [
  ['#05060f', '#14123a', '#4b2a7a', '#c2598f', '#ffd9b8'],
  ['#03070c', '#06283a', '#0f6a78', '#6fc9b0', '#fdf6d0'],
  ['#070409', '#2a0f26', '#7c2436', '#e2783f', '#ffe9a8'],
  ['#04060e', '#0d1d4f', '#2f57b5', '#9cb8f2', '#ffffff'],
] as const;

/** Gas clouds and stars in two depths; sometimes a planet with rings. */
export function nebula({ seed, period, aspect }: Frame): Layer[] {
  const colours = pick(nebulae, seed).map((code) => hex(code));
  const cells = Math.max(2, Math.round(period * 1.5));
  const gas = (x: number, y: number): Colour => {
    const u = (x / period) * cells;
    const bend = cloud(u, y * 1.5, seed + 5, 3, cells);
    const dust = cloud(u * 2 + bend * 3, y * 3 + bend * 2, seed, 5, cells * 2);
    const thick = step(0.32, 0.95, dust * 0.75 + bend * 0.45 - 0.22);
    const faint = starlight(x, y, { cells: 60, density: 0.35, seed: seed + 9, period });
    return glow(ramp(colours, thick), hex('#ffffff'), faint * 0.8);
  };
  const bright = (x: number, y: number): Colour =>
    veil(hex('#fff6e6'), starlight(x, y, { cells: 14, density: 0.3, seed: seed + 40, period }) * 1.6);
  const layers: Layer[] = [
    { paint: gas, drift: 0.008 },
    { paint: bright, drift: 0.02 },
  ];
  return seed % 2 === 0 ? layers : [...layers, ringedPlanet(seed, aspect)];
}

function ringedPlanet(seed: number, aspect: number): Layer {
  const [centreX, centreY, radius] = [aspect * 0.64, 0.46, 0.22];
  const bands = [hex('#e8c9a0'), hex('#b98257'), hex('#f3e2c6'), hex('#8d5a3c'), hex('#dcb083')];
  const paint = (x: number, y: number): Colour => {
    const [dx, dy] = [x - centreX, y - centreY];
    const across = dx * 0.94 + dy * 0.34;
    const along = -dx * 0.34 + dy * 0.94;
    const ring = Math.hypot(across, along * 4.2);
    const inRing = step(0.3, 0.31, ring) * step(0.46, 0.45, ring);
    const distance = Math.hypot(dx, dy);
    const ball = step(radius, radius - 0.006, distance);
    const stripe = ramp(bands, (along / radius + 1) / 2 + 0.08 * noise(across * 9, along * 30, seed));
    const lit = Math.max(0.04, 0.9 - (dx * 0.8 + dy * 0.7 + 0.12) * 3.2);
    const front = along > 0 || ball === 0 ? inRing * (0.45 + 0.5 * noise(ring * 160, 1, seed)) : 0;
    return mix(veil(shade(stripe, lit), ball), hex('#e9dcc4', Math.max(ball, front)), front);
  };
  return { paint, drift: 0 };
}

/** A large moon behind thin moving clouds. */
export function moon({ seed, period, aspect }: Frame): Layer[] {
  const [centreX, centreY, radius] = [aspect * (0.36 + 0.3 * hash(1, 1, seed)), 0.47, 0.33];
  const sky = pick(
    [
      ['#05070f', '#1a2340'],
      ['#080510', '#33203f'],
      ['#03090d', '#0f3340'],
    ] as const,
    seed,
  );
  const cells = Math.max(2, Math.round(period * 2));
  const still = (x: number, y: number): Colour => {
    const night = mix(hex(sky[0]), hex(sky[1]), y);
    const [dx, dy] = [(x - centreX) / radius, (y - centreY) / radius];
    const distance = Math.hypot(dx, dy);
    const halo = 0.35 * Math.exp(-Math.max(0, distance - 1) * 2.2);
    const around = glow(
      glow(night, hex('#c9d6f2'), halo),
      hex('#ffffff'),
      starlight(x, y, { cells: 40, density: 0.25, seed, period }),
    );
    if (distance > 1.02) return around;
    const bulge = 1 + 0.35 * distance ** 2;
    const seas = step(0.42, 0.62, cloud(dx * bulge * 1.3 + 7, dy * bulge * 1.3, seed + 3, 4));
    const rough = cloud(dx * bulge * 7, dy * bulge * 7, seed + 8, 4);
    const ground = mix(hex('#f4efe2'), hex('#a7a297'), seas * 0.8 + (rough - 0.5) * 0.6);
    const rim = 1 - 0.35 * distance ** 6;
    return mix(shade(ground, rim), around, step(0.99, 1.015, distance));
  };
  const wisps = (x: number, y: number): Colour => {
    const thick = cloud((x / period) * cells, y * 7, seed + 21, 5, cells);
    return hex('#27324d', 0.75 * step(0.5, 0.82, thick) * step(0.15, 0.6, y));
  };
  return [
    { paint: still, drift: 0 },
    { paint: wisps, drift: 0.045 },
  ];
}
