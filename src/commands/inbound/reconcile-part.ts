/** What the ERP's file says, in the order of the file. Times in milliseconds; `until` is excluded. */
export type ErpPart =
  | { readonly kind: 'header'; readonly since: number; readonly until: number; readonly taxNumber?: string }
  | ErpDocument;

export interface ErpDocument {
  readonly kind: 'document';
  readonly line: number;
  /** As written, without punctuation; whether it is a key is not checked yet. */
  readonly key: string;
  readonly isOwn: boolean;
  /** The ERP knows that it is cancelled or denied. */
  readonly isAnnulled: boolean;
  readonly isPaper: boolean;
}
