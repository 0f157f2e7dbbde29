/**
 * `not-synced`: listed by the service, unknown to this machine · `not-archived`: known, without its file · `outdated`: the
 * service now reports another status · `file-missing`, `file-changed`, `other-archive`: the file differs from the record in the
 * store · `behind-link`: the file is behind a folder that is a symbolic link, and was not read · `summary-only`: only the summary of the document is archived · `summary-not-standing`: the same of a document that is cancelled or denied, whose full XML the recipient cannot ask for · `not-a-document`: the file contains something else ·
 * `signature-invalid`: the document was changed after it was signed · `event-…`: the same for an event ·
 * `event-not-synced`: the service lists an event of the document that this machine does not know ·
 * `written-off`: it never arrived and a person wrote it off: it is still missing ·
 * `not-final`: the state of an issued invoice may still change by itself ·
 * `row-unreadable`: rows of the list without a document.
 */
export const closeKinds = [
  ...(['not-synced', 'not-archived', 'written-off', 'outdated', 'not-final'] as const),
  ...(['file-missing', 'file-changed', 'other-archive', 'behind-link'] as const),
  ...(['summary-only', 'summary-not-standing', 'not-a-document', 'signature-invalid'] as const),
  ...(['event-not-synced', 'event-not-archived', 'event-written-off'] as const),
  ...(['event-file-missing', 'event-file-changed', 'event-behind-link'] as const),
  'row-unreadable',
] as const;
export type CloseKind = (typeof closeKinds)[number];

/** A document has at most one of these, and such a document is not in the manifest. */
export const withoutEntry: readonly CloseKind[] = [
  ...(['not-synced', 'not-archived', 'written-off', 'not-final'] as const),
  ...(['file-missing', 'file-changed', 'other-archive', 'behind-link', 'not-a-document'] as const),
];
