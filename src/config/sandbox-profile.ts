/**
 * The account of the built-in profile `sandbox`, the same on every machine. Its keys only open a sandbox on this
 * machine, and the client sends keys with this prefix nowhere else.
 */
export const sandboxProfile = {
  name: 'sandbox',
  account: {
    tenantId: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de',
    companyId: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
    invoiceKey: 'sbx_invoice_embedded_account',
    dataKey: 'sbx_data_embedded_account',
  },
} as const;
