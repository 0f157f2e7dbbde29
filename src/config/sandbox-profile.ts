/**
 * The tenant and the company of the built-in profile `sandbox`, the same on every machine. Its keys are in `sandbox-keys.ts`:
 * they open only the sandbox of one data folder, and the client sends keys with the prefix `sbx_` nowhere else.
 */
export const sandboxProfile = {
  name: 'sandbox',
  account: { tenantId: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de', companyId: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27' },
} as const;
