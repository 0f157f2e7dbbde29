import { waitOptions } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { ExitCode } from '../../errors/exit-code.js';

/** The models of the layouts; `general` is the short form of the service document (§4), which names none. */
export const documents = ['nfe', 'nfce', 'nfse'] as const;
export const goods = ['nfe', 'nfce'] as const;
export const everyModel = [...documents, 'general'] as const;

/** The models that a command is for. The program finds the one that is meant where something tells it (`model.ts`). */
export function modelOption<const Models extends readonly CheckedModel[]>(choices: Models) {
  const summary = {
    en: 'The model (default: told by the key, the file, or what this machine knows of the id)',
    pt: 'O modelo (padrão: pela chave, pelo arquivo ou pelo que esta máquina sabe do id)',
  };
  return { model: { kind: 'choice', choices, summary } } as const;
}

export const invoiceArgument: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: {
    en: 'Id of the invoice at the service, or its access key',
    pt: 'Id da nota no serviço, ou a chave de acesso',
  },
};

export const followOptions = {
  ...waitOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Wait until it is issued or rejected; the exit code shows the result',
      pt: 'Espera até ser emitida ou rejeitada; o código de saída mostra o resultado',
    },
  },
} as const satisfies OptionSpecs;

/** Overrides the environment of the body. */
export const environmentOption = {
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    models: documents,
    summary: {
      en: 'Environment of the authority (default: that of the body or the company)',
      pt: 'Ambiente da autoridade (padrão: o do corpo ou da empresa)',
    },
  },
} as const satisfies OptionSpecs;

export const reasonOption = {
  reason: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Why, in 15 to 255 characters', pt: 'O motivo, de 15 a 255 caracteres' },
  },
} as const satisfies OptionSpecs;

/** The exit codes of a write. */
export const writeExitCodes = [
  ExitCode.partial,
  ...callExitCodes,
  ExitCode.pending,
  ExitCode.conflict,
  ExitCode.held,
  ExitCode.endedBadly,
];
