import type { Outcome } from '../../domain/outcome.js';
import { writeTemplate } from '../../services/batch/template.js';
import type { Context } from '../../services/context.js';

/** A sheet of events to fill in. Errors: those of `writeTemplate`. */
export async function writeEventTemplate(context: Context, file: string): Promise<Outcome> {
  return writeTemplate(context, file, {
    titles: [
      { en: 'accessKey', pt: 'chave' },
      { en: 'event', pt: 'evento' },
      { en: 'justification', pt: 'justificativa' },
      { en: 'reason', pt: 'motivo' },
      { en: 'company', pt: 'empresa' },
    ],
    example: ['210240', 'A mercadoria foi recusada na entrega', '', ''],
  });
}
