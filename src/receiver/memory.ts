/** How many bytes of bodies that are still being read, or stored, may stand in memory at once. */
export class Memory {
  #free: number;

  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** False, and nothing taken, when it would be too much. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}
