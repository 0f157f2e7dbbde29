import type { OperationId } from '../../contract/operations.js';
import { certificateHandlers, companyHandlers } from './company.js';
import type { HandlersOf } from './handler.js';
import { nfseMaintenanceHandlers } from './nfse-maintenance.js';
import { invoiceHandlers, serviceInvoiceHandlers } from './invoice-service.js';
import { invoiceInboundHandlers } from './invoice-inbound.js';
import { merchandiseHandlers } from './invoice-merchandise.js';
import { lookupHandlers } from './lookup.js';
import { nfeManifestationHandlers } from './nfe-manifestation.js';
import { nfseInboundHandlers } from './nfse-inbound.js';
import { nfseManifestationHandlers } from './nfse-manifestation.js';
import { nfseSettingsHandlers } from './nfse-settings.js';
import { productHandlers } from './product.js';
import { taxHandlers } from './tax.js';
import { taxRegistrationHandlers } from './tax-registration.js';
import { webhookHandlers } from './webhook.js';

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
