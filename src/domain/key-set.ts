/** Slots to begin with; a power of two. */
const FIRST = 1024;

/**
 * A set of texts that keeps eight bytes of each, so a list of any length can be compared with itself. Two texts with the same 64
 * bits count as one: a list then has a row too few, never one too many.
 */
export class KeySet {
  #slots = new Uint32Array(2 * FIRST);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** False when the text was there. */
  add(text: string): boolean {
    if (!place(this.#slots, ...bitsOf(text))) return false;
    this.#size += 1;
    if (this.#size * 4 > this.#slots.length) this.#grow();
    return true;
  }

  /** At most half of the slots are in use. */
  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const [high = 0, low = 0] = [before[at], before[at + 1]];
      if (high !== 0 || low !== 0) place(this.#slots, high, low);
    }
  }
}

/** False when the bits were there. */
function place(slots: Uint32Array, high: number, low: number): boolean {
  const last = slots.length - 1;
  for (let at = (low << 1) & last; ; at = (at + 2) & last) {
    if (slots[at] === high && slots[at + 1] === low) return false;
    if (slots[at] === 0 && slots[at + 1] === 0) {
      slots[at] = high;
      slots[at + 1] = low;
      return true;
    }
  }
}

/** Two mixed sums of the characters (cyrb53, all of its bits); never both 0, which is an empty slot. */
function bitsOf(text: string): readonly [high: number, low: number] {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2_654_435_761);
    two = Math.imul(two ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  two = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  const [high, low] = [two >>> 0, one >>> 0];
  return high === 0 && low === 0 ? [0, 1] : [high, low];
}
