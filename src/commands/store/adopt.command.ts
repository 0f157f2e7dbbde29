import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'Learn products that another store has created',
    pt: 'Aprende produtos criados com outro arquivo de estado',
  },
  description: {
    en: 'Reads a list of product ids (CSV, NDJSON or JSON with the field id, and sku if you have it) and reads each product at the service. From then on "product apply" and "product import" know them and create none of them again. Reading is free; nothing is changed.',
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
