import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import { names, writeExitCodes } from './options.js';

const number = { kind: 'count', value: 'n', min: 1 } as const;

const rangeOptions = {
  serie: { kind: 'count', value: 'n', summary: { en: 'The serie, 0 to 969', pt: 'A série, de 0 a 969' } },
  from: { ...number, summary: { en: 'First number', pt: 'Primeiro número' } },
  to: {
    ...number,
    summary: { en: 'Last number (default: the first)', pt: 'Último número (padrão: o primeiro)' },
  },
  state: { kind: 'text', value: 'UF', summary: { en: 'State of the issuer', pt: 'UF do emitente' } },
  reason: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Why, in 15 to 255 characters', pt: 'O motivo, de 15 a 255 caracteres' },
  },
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    default: 'Production',
    summary: { en: 'Environment of the authority', pt: 'Ambiente da autoridade' },
  },
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce disable`. */
export function disableCommand(model: MerchandiseModel) {
  const name = names[model];
  return defineCommand({
    summary: {
      en: `Disable numbers of ${name} that were skipped`,
      pt: `Inutiliza números de ${name} que foram pulados`,
    },
    description: {
      en: 'Needs consent (--yes without a terminal): a disabled number can never be issued. Answered at once.',
      pt: 'Precisa de consentimento (--yes sem terminal): um número inutilizado nunca poderá ser emitido. A resposta é imediata.',
    },
    options: rangeOptions,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} disable --serie 1 --from 120 --to 125 --state SP --reason "Falha na numeração do sistema" --yes`,
        summary: { en: 'Six numbers', pt: 'Seis números' },
      },
    ],
    exitCodes: writeExitCodes,
    async run({ context, options }) {
      const { disableNumbers } = await import('./disable.js');
      const { serie, from, state, reason, environment } = options;
      if (serie === undefined || from === undefined || state === undefined) {
        const missing = Object.entries({ serie, from, state }).filter(([, value]) => value === undefined);
        const flags = missing.map(([flag]) => `--${flag}`).join(', ');
        throw new FiscalError('usage.missing', { names: flags }, { sent: 'no' });
      }
      return disableNumbers(context, {
        model,
        environment,
        serie,
        state,
        from,
        to: options.to ?? from,
        reason,
      });
    },
  });
}
