/** §2, `AsyncAcceptedResource`: the standard body of 202. `message` is public. */
export interface Accepted {
  /** Id of what was accepted: a document, an event, an invoice, or a piece of work. */
  readonly documentId: string;
  readonly companyId: string;
  readonly message: string;
}

export const inBackground = 'Accepted: it is processed in the background.';
export const beingMade = 'The file is being made.';
