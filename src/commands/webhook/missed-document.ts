import type { DataRecord } from '../../domain/outcome.js';
import type { CompanyLabel } from '../../services/scope/scope.js';
import type { Undelivered } from '../undelivered.js';

/** A document, and whether an event about it stands in this machine's store. */
export interface MissedDocument extends Undelivered, CompanyLabel, DataRecord {
  readonly type: 'missed-webhook';
  readonly arrived: boolean;
}
