export interface Tile {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How far from square the worst of a row is that takes `side` of one edge; 1 is a square. */
const worst = (row: number[], side: number) => {
  const sum = row.reduce((a, b) => a + b, 0);
  const thickness = sum / side;
  return Math.max(...row.map((area) => Math.max(area / thickness / thickness, thickness / (area / thickness))));
};

/**
 * Fills a rectangle with tiles whose areas are as the values, which come largest first, and which are as square as can be
 * (Bruls, Huizing and van Wijk's squarified treemap).
 */
export function squarify(values: number[], width: number, height: number): Tile[] {
  const total = values.reduce((a, b) => a + b, 0);
  if (total <= 0 || width <= 0 || height <= 0) return [];
  const areas = values.map((value) => (value / total) * width * height);
  const tiles: Tile[] = [];
  let left = { x: 0, y: 0, width, height };
  for (let from = 0; from < areas.length;) {
    const side = Math.min(left.width, left.height);
    let to = from + 1;
    while (to < areas.length && worst(areas.slice(from, to + 1), side) <= worst(areas.slice(from, to), side)) to++;
    const row = areas.slice(from, to);
    const sum = row.reduce((a, b) => a + b, 0);
    const thickness = side > 0 ? sum / side : 0;
    const isColumn = left.width >= left.height;
    let along = 0;
    for (const area of row) {
      const length = thickness > 0 ? area / thickness : 0;
      tiles.push(
        isColumn
          ? { x: left.x, y: left.y + along, width: thickness, height: length }
          : { x: left.x + along, y: left.y, width: length, height: thickness },
      );
      along += length;
    }
    left = isColumn
      ? { ...left, x: left.x + thickness, width: Math.max(0, left.width - thickness) }
      : { ...left, y: left.y + thickness, height: Math.max(0, left.height - thickness) };
    from = to;
  }
  return tiles;
}
