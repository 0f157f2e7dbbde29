import type { OutputFormat } from '../config/settings.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { View } from '../presenters/look.js';
import type { CommandDefinition } from './command.js';
import type { Presentation } from './presentation.js';
import { compileQuery, type Query } from './query.js';

/** How the data of one run becomes text: decided, and its words checked, before anything is sent. */
export interface Settling {
  readonly format: OutputFormat | undefined;
  readonly fields: readonly string[] | undefined;
  readonly query: Query | undefined;
  readonly idField: string | undefined;
  /** The `type` of a line of NDJSON whose record names none: the noun of the command. */
  readonly recordType?: string | undefined;
  readonly view: (() => Promise<View>) | undefined;
}

export async function prepareSettling(
  definition: CommandDefinition,
  presentation: Presentation,
  recordType?: string,
): Promise<Settling> {
  const { output, fields, query } = presentation;
  if (output === 'id' && definition.idField === undefined) {
    throw new FiscalError('usage.invalid', {
      message: {
        en: '-o id: this command has no id to print',
        pt: '-o id: este comando não tem id a mostrar',
      },
    });
  }
  return {
    format: output,
    fields: fields === undefined || fields.length === 0 ? undefined : fields,
    query: query === undefined ? undefined : await compileQuery(query),
    idField: definition.idField,
    recordType,
    view: definition.view,
  };
}
