import type { Given } from '../../cli/command.js';
import type { apply } from './commands.js';
import type { Outcome } from '../../domain/outcome.js';
import { writeTemplate } from '../../services/batch/template.js';
import type { Context } from '../../services/context.js';

/** A sheet of products to fill in. Errors: those of `writeTemplate`. */
export async function writeProductTemplate(context: Context, { template }: Given<typeof apply>): Promise<Outcome> {
  return writeTemplate(context, template ?? '', {
    titles: [
      { en: 'sku', pt: 'código' },
      { en: 'description', pt: 'descrição' },
      { en: 'origin', pt: 'origem' },
      { en: 'ncm', pt: 'ncm' },
      { en: 'cest', pt: 'cest' },
      { en: 'gtin', pt: 'código de barras' },
    ],
    example: ['Café torrado 500 g', '0', '09012100', '', '7891000315507'],
  });
}
