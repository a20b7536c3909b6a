/** Hashes a text to a positive number of 53 bits: two hashes of 32 bits, each a multiplicative one as FNV-1a. */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  low ^= low >>> 15;
  return (high >>> 11) * 0x100000000 + (low >>> 0) + 1;
}

const firstSize = 1 << 12;

/**
 * The smallest time of each id, in 12 bytes an entry instead of some 100 in a Map: a chat may have millions of messages. Ids are
 * compared by their hash; that two of five million are the same has a probability of 0.1 %.
 */
export class IdTimes {
  private keys = new Float64Array(firstSize);
  private times = new Int32Array(firstSize);
  private count = 0;

  private slotOf(key: number): number {
    const mask = this.keys.length - 1;
    let slot = (key ^ (key / 0x100000000)) & mask;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow() {
    const { keys, times } = this;
    this.keys = new Float64Array(2 * keys.length);
    this.times = new Int32Array(2 * keys.length);
    for (const [place, key] of keys.entries()) {
      if (key === 0) continue;
      const slot = this.slotOf(key);
      this.keys[slot] = key;
      this.times[slot] = times[place]!;
    }
  }

  /** Notes a time in milliseconds, which counts if it is the first or the smallest. */
  note(id: string, time: number): void {
    const key = hashOf(id);
    const slot = this.slotOf(key);
    if (this.keys[slot] === key) {
      if (time < this.times[slot]!) this.times[slot] = time;
      return;
    }
    this.keys[slot] = key;
    this.times[slot] = time;
    if (++this.count > 0.6 * this.keys.length) this.grow();
  }

  has(id: string): boolean {
    return this.keys[this.slotOf(hashOf(id))] !== 0;
  }

  /** Returns whether this is the smallest time of an id, the first time that it is asked for. */
  take(id: string, time: number): boolean {
    const slot = this.slotOf(hashOf(id));
    if (this.keys[slot] === 0 || this.times[slot] !== time) return false;
    this.times[slot] = -1;
    return true;
  }
}
