import type { CheckedModel } from '../../domain/invoice-check.js';

/** An invoice at the service. `companyId` is of no use to the short way, whose address names none. */
export interface InvoiceTarget {
  readonly model: CheckedModel;
  readonly companyId: string;
  readonly id: string;
}
