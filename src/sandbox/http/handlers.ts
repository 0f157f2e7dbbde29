import type { OperationId } from '../../contract/operations.js';
import { taxRegistrationHandlers } from '../company/registrations.js';
import { nfseMaintenanceHandlers } from '../inbound/maintenance.js';
import { lookupHandlers } from '../lookup/lookup.js';
import { productHandlers } from '../product/products.js';
import { certificateHandlers, companyHandlers } from '../routes/company.js';
import { invoiceInboundHandlers } from '../routes/invoice-inbound.js';
import { merchandiseHandlers } from '../routes/invoice-merchandise.js';
import { invoiceHandlers, serviceInvoiceHandlers } from '../routes/invoice-service.js';
import { nfeManifestationHandlers } from '../routes/nfe-manifestation.js';
import { nfseInboundHandlers } from '../routes/nfse-inbound.js';
import { nfseManifestationHandlers } from '../routes/nfse-manifestation.js';
import { nfseSettingsHandlers } from '../routes/nfse-settings.js';
import { webhookHandlers } from '../routes/webhook.js';
import { taxHandlers } from '../tax/calculate.js';
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
