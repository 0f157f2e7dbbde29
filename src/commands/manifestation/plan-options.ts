import type { OptionSpecs } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** Which documents are looked at, and by which terms. */
export const documentOptions = {
  input: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Documents as CSV, NDJSON or JSON; - for stdin (default: those that this machine knows)',
      pt: 'Documentos em CSV, NDJSON ou JSON; - para o stdin (padrão: os que esta máquina conhece)',
    },
  },
  own: {
    kind: 'list',
    value: 'cnpj',
    summary: {
      en: 'More CNPJs whose notes are your own; account: read the companies of the account first',
      pt: 'Outros CNPJs cujas notas são próprias; account: consulta antes as empresas da conta',
    },
  },
  deadlineRules: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Your own terms by state, supplier or event, as YAML or JSON',
      pt: 'Seus prazos por UF, fornecedor ou evento, em YAML ou JSON',
    },
  },
  checkService: {
    kind: 'toggle',
    summary: {
      en: 'Ask the service for events that no sync has brought',
      pt: 'Consulta no serviço os eventos que nenhuma sincronização trouxe',
    },
  },
} as const satisfies OptionSpecs;

/** An option without which the command cannot do its work. Error: `usage.missing`. */
export function requireOption(name: string, value: string | undefined): string {
  if (value === undefined) throw new FiscalError('usage.missing', { names: name }, { sent: 'no' });
  return value;
}
