/** Every scene: painted in sheets, or drawn by a source of ffmpeg itself. */
import type { Look, Scene } from '#standin/catalogue.ts';
import { loaf, planks } from './bench.ts';
import { meadow, skyline, sunset, train } from './land.ts';
import type { Frame, Layer } from './layer.ts';
import { moon, nebula } from './sky.ts';

const painted: Partial<Record<Scene, (frame: Frame) => Layer[]>> = { nebula, moon, train, planks, loaf, sunset, skyline, meadow };

/** The sheets of a painted scene, the lowest first; null for a scene that ffmpeg draws. */
export function layersOf(look: Look, aspect: number, period: number): Layer[] | null {
  return painted[look.scene]?.({ seed: look.seed, aspect, period }) ?? null;
}

/** The description of a source for ffmpeg's lavfi; of a painted scene, a quiet gradient. */
export function sourceOf(look: Look, size: { width: number; height: number; rate: number; durationSeconds: number }): string {
  const { seed } = look;
  const common = `s=${size.width}x${size.height}:r=${size.rate}`;
  switch (look.scene) {
    case 'fractal': {
      const [x, y] = [
        [-0.743643, 0.131825],
        [-1.25066, 0.02012],
        [-0.1592, 1.0317],
        [0.001643, 0.822467],
      ][seed % 4] ?? [0, 0];
      return `mandelbrot=${common}:start_x=${x}:start_y=${y}:start_scale=1.6:end_scale=0.02:end_pts=${size.durationSeconds * 30}:maxiter=400:inner=convergence,hue=h=${(seed * 53) % 360}:s=1.3`;
    }
    case 'cells':
      return `life=${common}:seed=${seed + 1}:mold=12:ratio=0.12:death_color=0x1b2a4a:life_color=0xffc857:mold_color=0x0b1020,boxblur=1:1`;
    case 'pattern':
      return `testsrc2=${common}`;
    default: {
      const colour = (turn: number) =>
        `0x${['12324a', 'd96f4e', '2a9d8f', 'e9c46a', '6a4c93', '1982c4', 'f28482', '264653'][(seed * 3 + turn) % 8]}`;
      return `gradients=${common}:seed=${seed + 1}:speed=0.015:n=4:c0=${colour(0)}:c1=${colour(1)}:c2=${colour(2)}:c3=${colour(5)}`;
    }
  }
}
