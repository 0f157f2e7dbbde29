import type { ExitName } from '../../cli/command.js';
import { argument, choice, text, toggle } from '../../cli/define.js';
import { waitOptions } from '../../cli/options.js';
import type { CheckedModel } from '../../domain/invoice-check.js';

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

export const invoiceArgument = argument(
  'Id of the invoice at the service, or its access key',
  'Id da nota no serviço, ou a chave de acesso',
);

export const followOptions = {
  ...waitOptions,
  wait: toggle(
    'Wait until it is issued or rejected; the exit code shows the result',
    'Espera até ser emitida ou rejeitada; o código de saída mostra o resultado',
  ),
};

/** Overrides the environment of the body. */
export const environmentOption = {
  environment: choice(
    ['Production', 'Test'],
    'Environment of the authority (default: that of the body or the company)',
    'Ambiente da autoridade (padrão: o do corpo ou da empresa)',
    { models: documents },
  ),
};

export const reasonOption = {
  reason: text('text', 'Why, in 15 to 255 characters', 'O motivo, de 15 a 255 caracteres'),
};

/** The exit codes of a write. */
export const writeExits: readonly ExitName[] = ['partial', 'calls', 'pending', 'conflict', 'held', 'endedBadly'];
