import { type Colour, NOTHING } from './colour.ts';

/**
 * A layer of a painted scene. `x` runs from 0 to `period` and repeats, `y` from 0 (top) to 1 (bottom), both in units of the image
 * height; `phase` from 0 to 1 is the position in a repeated movement.
 */
export interface Layer {
  paint(x: number, y: number, phase: number): Colour;
  /** Movement to the left in heights per second; negative to the right. */
  drift: number;
  /** Number of images of the repeated movement; default one. */
  phases?: number;
  /** Video frames per image; default one. */
  hold?: number;
}

/** Parameters of a scene: `aspect` is width by height, `period` the width after which its layers repeat. */
export interface Frame {
  seed: number;
  aspect: number;
  period: number;
}

/** Renders one layer as RGBA bytes; `width` is its whole period. */
export function paintLayer(layer: Layer, width: number, height: number, phase: number): Buffer {
  const bytes = Buffer.alloc(width * height * 4);
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    const y = (row + 0.5) / height;
    for (let column = 0; column < width; column += 1) {
      const [red, green, blue, cover] = layer.paint((column + 0.5) / height, y, phase);
      bytes[at] = red > 255 ? 255 : red;
      bytes[at + 1] = green > 255 ? 255 : green;
      bytes[at + 2] = blue > 255 ? 255 : blue;
      bytes[at + 3] = cover >= 1 ? 255 : cover * 255;
      at += 4;
    }
  }
  return bytes;
}

/** Renders all layers at the start as RGB bytes. */
export function paintStill(layers: Layer[], width: number, height: number): Buffer {
  const bytes = Buffer.alloc(width * height * 3);
  let at = 0;
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      let [red, green, blue] = NOTHING as readonly [number, number, number, number];
      for (const layer of layers) {
        const over = layer.paint((column + 0.5) / height, (row + 0.5) / height, 0);
        const cover = Math.min(1, over[3]);
        red = red * (1 - cover) + Math.min(255, over[0]) * cover;
        green = green * (1 - cover) + Math.min(255, over[1]) * cover;
        blue = blue * (1 - cover) + Math.min(255, over[2]) * cover;
      }
      bytes[at] = red;
      bytes[at + 1] = green;
      bytes[at + 2] = blue;
      at += 3;
    }
  }
  return bytes;
}
