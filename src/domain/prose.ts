import type { Text } from '../contract/text.js';

/** A sentence as a value of a record: JSON, which is never translated, has it in English; people read it in their language. */
export class Prose implements Text {
  readonly en: string;
  readonly pt: string;

  constructor({ en, pt }: Text) {
    this.en = en;
    this.pt = pt;
  }

  toJSON(): string {
    return this.en;
  }

  toString(): string {
    return this.en;
  }
}
