import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { names } from './options.js';

const pages = {
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'At most so many (100)', pt: 'No máximo tantas (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
} as const;

const environment = {
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    default: 'Production',
    summary: {
      en: 'Environment of the authority; the service lists one at a time',
      pt: 'Ambiente da autoridade; o serviço lista um por vez',
    },
  },
} as const;

/** `fiscal invoice nfe|nfce|nfse list`. */
export function listCommand(model: InvoiceModel) {
  const name = names[model];
  const options = model === 'nfse' ? pages : { ...pages, ...environment };
  return defineCommand({
    summary: { en: `List the issued ${name}`, pt: `Lista as ${name} emitidas` },
    description: {
      en: 'Page by page, each invoice once with all its fields as they came.',
      pt: 'Página a página, cada nota uma vez com todos os campos como vieram.',
    },
    options,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} list --all -o ndjson`,
        summary: { en: 'All of them, as a stream', pt: 'Todas, em fluxo' },
      },
      { command: `fiscal invoice ${model} list -o id`, summary: { en: 'Their ids', pt: 'Os ids' } },
    ],
    exitCodes: callExitCodes,
    idField: 'id',
    view: async () => {
      const { columnsView } = await import('../../presenters/columns.js');
      const party = model === 'nfse' ? 'borrower.name' : 'buyer.name';
      return columnsView(['id', 'flowStatus', 'status', 'externalId', 'serie', 'number', party, 'createdOn']);
    },
    async run({ context, options: given }) {
      const { listInvoices } = await import('./list.js');
      const { limit, all } = given;
      const chosen = 'environment' in given && given.environment === 'Test' ? 'Test' : 'Production';
      return listInvoices(context, { model, environment: chosen, limit, all });
    },
  });
}
