/** What most rows of the catalogue share: the product host and the invoice key, no role, free to ask for again. */
export const commonRow = {
  host: 'product',
  key: 'invoice',
  role: null,
  success: [200],
  replay: 'safe',
  billed: null,
  queryKey: false,
} as const;
