import type { Outputs } from '../../cli/output-schema.js';

export const outputs: Outputs = { api: { prints: 'any', records: {} } };
