import type { OptionSpecs, OptionValues } from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import { giveBytes, type outOption } from '../give-bytes.js';
import type { lookupOptions } from './lookup-options.js';
import { runLookup } from './run-lookup.js';

/** What else the authority gives of an NF-e. */
export const nfeFormOptions = {
  xml: { kind: 'toggle', summary: { en: 'Its XML', pt: 'O XML' } },
  pdf: { kind: 'toggle', summary: { en: 'Its PDF (DANFE)', pt: 'O PDF (DANFE)' } },
  events: { kind: 'toggle', summary: { en: 'Its events', pt: 'Os eventos' } },
  timeout: {
    onlyWith: ['pdf'],
    kind: 'duration',
    value: 'time',
    default: '2m',
    summary: { en: 'Longest time to wait for a PDF', pt: 'Tempo máximo de espera por um PDF' },
  },
} as const satisfies OptionSpecs;

export interface NfeWords {
  readonly io: Io;
  readonly number: string | undefined;
  readonly options: OptionValues<typeof nfeFormOptions & typeof outOption & typeof lookupOptions>;
}

/** The state of an NF-e, or one of its other forms. Error: `usage.invalid` for two forms at once, or one of a list. */
export async function runNfeLookup(context: Context, { io, number, options }: NfeWords): Promise<Outcome> {
  const forms = (['xml', 'pdf', 'events'] as const).filter((form) => options[form]);
  const [form] = forms;
  if (form === undefined && options.out === undefined) {
    return await runLookup(context, { name: 'nfe', number, options });
  }
  const isList = number === undefined || number === '-' || options.file !== undefined;
  if (
    forms.length !== 1 ||
    form === undefined ||
    isList ||
    (form === 'events' && options.out !== undefined)
  ) {
    throw new FiscalError('usage.invalid', { message: oneForm }, { sent: 'no' });
  }
  const { lookUpBytes, lookUpEvents } = await import('./nfe.js');
  if (form === 'events') return await lookUpEvents(context, number);
  const { out, timeout: timeoutMs } = options;
  return await giveBytes(await lookUpBytes(context, { number, form, out, timeoutMs }), io, form);
}

const oneForm = {
  en: 'give one key with one of --xml, --pdf and --events; --out goes with --xml or --pdf',
  pt: 'informe uma chave com um destes: --xml, --pdf ou --events; --out vale com --xml ou --pdf',
};
