import { callExitCodes } from '../../cli/exit-codes.js';
import { type CommandGroup, defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

const status = defineCommand({
  summary: { en: 'Show which store this machine uses', pt: 'Mostra o arquivo de estado em uso' },
  description: {
    en: 'Where the store is, its identity, whether anything was ever sent from it, how many jobs are open, and which hosts asked for a wait. "Never twice" holds within one store.',
    pt: 'Onde está o arquivo de estado, sua identidade, se algo já foi enviado a partir dele, quantos trabalhos estão abertos e quais hosts pediram uma espera. A garantia de não enviar duas vezes vale dentro de um mesmo arquivo de estado.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal store status',
      summary: { en: 'Before a first import', pt: 'Antes de uma primeira importação' },
    },
  ],
  exitCodes: [],
  async run({ context }) {
    const { storeStatus } = await import('./status.js');
    return storeStatus(context);
  },
});

const adopt = defineCommand({
  summary: {
    en: 'Import products that another store has created',
    pt: 'Importa produtos criados com outro arquivo de estado',
  },
  description: {
    en: 'Reads a list of product ids (CSV, NDJSON or JSON with the field id, and sku if you have it) and reads each product at the service. From then on "product apply" and "product import" know them and never create them again. Reading is free; nothing is changed.',
    pt: 'Lê uma lista de ids de produtos (CSV, NDJSON ou JSON com o campo id, e sku se houver) e consulta cada produto no serviço. A partir daí "product apply" e "product import" os conhecem e não criam nenhum de novo. A leitura é gratuita; nada é alterado.',
  },
  arguments: [
    {
      name: 'file',
      required: true,
      summary: { en: 'The list, or - for stdin', pt: 'A lista, ou - para stdin' },
    },
  ],
  options: {},
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal store adopt products.ndjson',
      summary: {
        en: 'The output of "product list -o ndjson" of another machine',
        pt: 'A saída de "product list -o ndjson" de outra máquina',
      },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  idField: 'id',
  async run({ context, arguments: { file = '' } }) {
    const { adoptProducts } = await import('../product/adopt.js');
    return adoptProducts(context, file);
  },
});

export const group: CommandGroup = {
  verbs: {
    status,
    adopt,
  },
};
