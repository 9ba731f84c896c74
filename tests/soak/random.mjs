// Random numbers from a seed. Each step of a soak has a stream of its own, so that steps can be left out and the others stay.
export class Random {
  #state;
  constructor(seed, stream = 0) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) | 0;
    this.below(2);
    this.below(2);
  }

  /** From 0 on, below 2^32. */
  bits() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return (bits ^ (bits >>> 14)) >>> 0;
  }
  below(count) {
    return Math.floor((this.bits() / 2 ** 32) * count);
  }
  between(least, most) {
    return least + this.below(most - least + 1);
  }
  oneIn(count) {
    return this.below(count) === 0;
  }
  from(list) {
    return list[this.below(list.length)];
  }
  list(count, make) {
    return Array.from({ length: count }, (_, i) => make(i));
  }
  shuffled(list) {
    const all = [...list];
    for (let i = all.length - 1; i > 0; i--) {
      const other = this.below(i + 1);
      [all[i], all[other]] = [all[other], all[i]];
    }
    return all;
  }
}
