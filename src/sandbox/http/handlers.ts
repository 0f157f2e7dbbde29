import type { OperationId } from '../../contract/operations.js';
import { certificateHandlers } from '../company/certificates.js';
import { companyHandlers } from '../company/companies.js';
import { taxRegistrationHandlers } from '../company/registrations.js';
import { invoiceInboundHandlers } from '../inbound/invoice-inbound.js';
import { nfseMaintenanceHandlers } from '../inbound/maintenance.js';
import { nfseInboundHandlers } from '../inbound/nfse-inbound.js';
import { nfseSettingsHandlers } from '../inbound/nfse-settings.js';
import { merchandiseHandlers } from '../invoice/merchandise.js';
import { invoiceHandlers, serviceInvoiceHandlers } from '../invoice/service.js';
import { lookupHandlers } from '../lookup/lookup.js';
import { nfeManifestationHandlers, nfseManifestationHandlers } from '../manifestation/manifestations.js';
import { productHandlers } from '../product/products.js';
import { taxHandlers } from '../tax/calculate.js';
import { webhookHandlers } from '../webhook/webhooks.js';
import type { HandlersOf } from './handler.js';

/** The type requires a handler for every operation of the catalogue. */
export const handlers: HandlersOf<OperationId> = {
  ...productHandlers,
  ...nfeManifestationHandlers,
  ...nfseManifestationHandlers,
  ...invoiceInboundHandlers,
  ...nfseInboundHandlers,
  ...nfseSettingsHandlers,
  ...invoiceHandlers,
  ...merchandiseHandlers,
  ...serviceInvoiceHandlers,
  ...companyHandlers,
  ...taxRegistrationHandlers,
  ...taxHandlers,
  ...nfseMaintenanceHandlers,
  ...certificateHandlers,
  ...lookupHandlers,
  ...webhookHandlers,
};
