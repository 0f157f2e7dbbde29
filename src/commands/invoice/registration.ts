import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { isNumber } from '../../domain/json-numbers.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { InvoiceFields } from './written-invoice.js';

/** An invoice without the state registration that it names: the registration belongs to the path of the call. */
export type Registered =
  | { readonly invoice: InvoiceFields; readonly stateTaxId: string | undefined }
  | { readonly problems: readonly InvoiceFinding[] };

/**
 * Takes `stateTax` (or `stateTaxId`) out of an NF-e or NFC-e. `named`: the registration of `--state-tax`, which a record may
 * repeat and not contradict. The invoice needs its own externalId: one made of the content would be the same below two
 * registrations.
 */
export function takeRegistration(
  model: InvoiceModel,
  written: InvoiceFields,
  named: string | undefined,
): Registered {
  const field = Object.keys(written).find((name) => /^statetax(?:id)?$/i.test(name));
  if (model === 'nfse') return { invoice: written, stateTaxId: undefined };
  if (field === undefined) return { invoice: written, stateTaxId: named };
  const { [field]: value, ...invoice } = written;
  const stateTaxId = isNumber(value) ? String(value) : value;
  if (stateTaxId === null) return { invoice, stateTaxId: named };
  if (typeof stateTaxId !== 'string' || stateTaxId === '') return { problems: [{ field, message: notAnId }] };
  if (named !== undefined && named !== stateTaxId) return { problems: [{ field, message: another }] };
  const { externalId } = invoice;
  if (typeof externalId !== 'string' || externalId === '')
    return { problems: [{ field: 'externalId', message: needed }] };
  return { invoice, stateTaxId };
}

const notAnId = {
  en: 'must be the id of a state registration (fiscal company registration list)',
  pt: 'deve ser o id de uma inscrição estadual (fiscal company registration list)',
};

const another = {
  en: 'names another state registration than --state-tax',
  pt: 'indica outra inscrição estadual, e não a de --state-tax',
};

const needed = {
  en: 'is required in a record that names its state registration: below another one, the same content is another invoice',
  pt: 'é obrigatório no registro que indica a inscrição estadual: em outra inscrição, o mesmo conteúdo é outra nota',
};
