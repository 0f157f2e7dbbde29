import type { Language } from '../contract/text.js';

/** Pure: data to lines of text. */
export type View = (data: unknown, look: Look) => readonly string[];

/** What a presenter may know of the place where its lines will stand. */
export interface Look {
  readonly language: Language;
  readonly columns: number;
  readonly paint: Paint;
}

/** Colour by meaning; the identity functions where colour is off. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}
