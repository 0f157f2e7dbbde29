import type { Core } from '../core/core.js';
import { announceProduct } from '../webhook/announce-others.js';
import { isRecord } from './read-product.js';
import { findInvalidRule, hasTaxRules } from './validate-rules.js';
import type { StoredProduct } from './products.js';

/**
 * Starts the background validation of a product that has just been stored (§3). With rules: half of the delay in
 * `Created`, half in `CustomTaxPending`. Without rules there is nothing to wait for: `Created`, then `Active` (assumed).
 */
export function startValidation(
  core: Core,
  product: Pick<StoredProduct, 'id' | 'content' | 'revision'>,
): void {
  const halfMs = Math.ceil(core.options.validationDelayMs / 2);
  const step = hasTaxRules(product.content) ? 'begin' : 'end';
  core.work.schedule('product-validation', core.clock.now() + halfMs, {
    id: product.id,
    revision: product.revision,
    step,
  });
}

/** One step of it, when its time has come. */
export function validateProduct(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload)) return;
  const { id, revision, step } = payload;
  const product = typeof id === 'string' ? core.products.get(id) : undefined;
  // The content has changed since: a later row of work speaks for it.
  if (product === undefined || product.revision !== revision) return;
  if (step === 'begin') {
    core.products.setStatus(product.id, 'CustomTaxPending', null);
    const halfMs = Math.floor(core.options.validationDelayMs / 2);
    core.work.schedule('product-validation', at + halfMs, { id, revision, step: 'end' });
    return;
  }
  const reason = findInvalidRule(product.content);
  core.products.setStatus(product.id, reason === null ? 'Active' : 'Error', reason);
  announceProduct(core, product.id, at);
}
