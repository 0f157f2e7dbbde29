import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import type { LoginKeys } from './read-keys.js';
import { FiscalError } from '../../errors/fiscal-error.js';

export interface KeyGathering {
  readonly context: Context;
  readonly io: Io;
  readonly fromStdin: boolean;
}

/** Keys from stdin, or asked for one after the other; an empty answer means: none of this kind. */
export async function gatherKeys({ context, io, fromStdin }: KeyGathering): Promise<LoginKeys> {
  if (fromStdin) {
    const { readKeys } = await import('./read-keys.js');
    return await readKeys(context.stdin);
  }
  if (!io.mayAsk) {
    throw new FiscalError(
      'usage.missing',
      { names: '--stdin' },
      {
        hint: {
          en: 'without a terminal the keys come from stdin: fiscal auth login --stdin < keys.txt',
          pt: 'sem terminal as chaves vêm do stdin: fiscal auth login --stdin < chaves.txt',
        },
      },
    );
  }
  const isPt = io.language === 'pt';
  const invoice = await io.prompts.secret(isPt ? 'Chave invoice (emissão)' : 'Invoice key (issuing)');
  const data = await io.prompts.secret(
    isPt ? 'Chave data (consultas; vazio: nenhuma)' : 'Data key (queries; empty: none)',
  );
  return { invoice, data };
}
