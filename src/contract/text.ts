/** A sentence for people, in the two languages of the program. Data, codes and JSON never use it. */
export interface Text {
  readonly en: string;
  readonly pt: string;
}

export type Language = keyof Text;
