import type { Outputs } from '../../presenters/record.js';

export const outputs: Outputs = { api: { prints: 'any', records: {} } };
