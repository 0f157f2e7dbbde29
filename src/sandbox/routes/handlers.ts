import type { OperationId } from '../../contract/operations.js';
import { companyHandlers } from './company.js';
import type { HandlersOf } from './handler.js';
import { lookupHandlers } from './lookup.js';
import { productHandlers } from './product.js';

/** An operation of the catalogue without a handler does not compile. */
export const handlers: HandlersOf<OperationId> = {
  ...productHandlers,
  ...companyHandlers,
  ...lookupHandlers,
};
