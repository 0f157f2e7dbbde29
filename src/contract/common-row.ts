/** The defaults of the catalogue: product host, invoice key, no role, safe to repeat. */
export const commonRow = {
  host: 'product',
  key: 'invoice',
  role: null,
  success: [200],
  replay: 'safe',
  billed: null,
  queryKey: false,
} as const;
