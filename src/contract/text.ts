/** A text for people, in the two languages of the program. Data, codes and JSON do not use it. */
export interface Text {
  readonly en: string;
  readonly pt: string;
}

export type Language = keyof Text;
