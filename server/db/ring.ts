interface Place {
  from: number;
  size: number;
  version: number;
  /** By `performance.now()`. */
  until: number;
}

/**
 * Keeps bytes under names in one block of memory of `capacity` bytes; when that is full, what came first goes first. However much goes
 * in and out nothing is left for V8 to collect: of pieces of their own, each turned page left dozens.
 */
export function openRing(capacity: number) {
  const block = Buffer.allocUnsafeSlow(capacity);
  // In the order in which they lie, beginning with the one behind `end`.
  const places = new Map<string, Place>();
  let end = 0;

  /** Forgets what lies between two places, as far as it lies in front. */
  const clear = (from: number, to: number) => {
    for (const [name, place] of places) {
      if (place.from >= to || place.from + place.size <= from) return;
      places.delete(name);
    }
  };

  return {
    /** Keeps a copy; not of nothing, nor of more than a quarter of what there is room for. */
    put(name: string, bytes: Uint8Array, about: Pick<Place, 'version' | 'until'>) {
      places.delete(name);
      const size = bytes.byteLength;
      if (size === 0 || size > capacity / 4) return;
      if (end + size > capacity) {
        clear(end, capacity);
        end = 0;
      }
      clear(end, end + size);
      block.set(bytes, end);
      places.set(name, { from: end, size, ...about });
      end += size;
    },
    /**
     * For each of these names a copy of what is kept under it, where it is of this version and not too old: the block itself is soon
     * written over.
     */
    get(names: readonly string[], version: number): (Uint8Array | undefined)[] {
      const now = performance.now();
      const found = names.map((name) => {
        const place = places.get(name);
        return place && place.version === version && place.until >= now ? place : undefined;
      });
      const copies = Buffer.allocUnsafe(found.reduce((sum, place) => sum + (place?.size ?? 0), 0));
      let at = 0;
      return found.map((place) => {
        if (!place) return undefined;
        block.copy(copies, at, place.from, place.from + place.size);
        return copies.subarray(at, (at += place.size));
      });
    },
  };
}
