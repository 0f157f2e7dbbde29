import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { writeTemplate } from '../../services/batch/template.js';
import type { Context } from '../../services/context.js';
import { modelMissing } from './model.js';
import { documents } from './options.js';
import { samples } from './samples.js';

/** A sheet of invoices to fill in, with the fields of the sample as columns. Errors: `usage.missing`, those of `writeTemplate`. */
export async function writeInvoiceTemplate(
  context: Context,
  file: string,
  model: InvoiceModel | undefined,
): Promise<Outcome> {
  if (model === undefined) throw await modelMissing(context, documents);
  const cells = [...leavesOf(samples[model], '')];
  return writeTemplate(context, file, {
    titles: ['externalId', ...cells.map(([path]) => path)].map((path) => ({ en: path, pt: path })),
    example: cells.map(([, value]) => String(value)),
  });
}

/** `items[0].quantity`: each value with its path. */
function* leavesOf(value: unknown, path: string): Iterable<readonly [path: string, value: unknown]> {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* leavesOf(entry, `${path}[${index}]`);
  } else if (isRecord(value)) {
    for (const [name, entry] of Object.entries(value))
      yield* leavesOf(entry, path === '' ? name : `${path}.${name}`);
  } else {
    yield [path, value];
  }
}
