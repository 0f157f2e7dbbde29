import type { OperationId } from '../../contract/operations.js';
import { certificateHandlers } from './certificate.js';
import { companyHandlers } from './company.js';
import type { HandlersOf } from './handler.js';
import { invoiceInboundHandlers } from './invoice-inbound.js';
import { lookupHandlers } from './lookup.js';
import { nfeManifestationHandlers } from './nfe-manifestation.js';
import { nfseInboundHandlers } from './nfse-inbound.js';
import { nfseMaintenanceHandlers } from './nfse-maintenance.js';
import { nfseManifestationHandlers } from './nfse-manifestation.js';
import { nfseSettingsHandlers } from './nfse-settings.js';
import { productHandlers } from './product.js';

/** An operation of the catalogue without a handler does not compile. */
export const handlers: HandlersOf<OperationId> = {
  ...productHandlers,
  ...nfeManifestationHandlers,
  ...nfseManifestationHandlers,
  ...invoiceInboundHandlers,
  ...nfseInboundHandlers,
  ...nfseSettingsHandlers,
  ...nfseMaintenanceHandlers,
  ...companyHandlers,
  ...certificateHandlers,
  ...lookupHandlers,
};
