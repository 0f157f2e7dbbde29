import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List the products that this machine has seen',
    pt: 'Lista os produtos que esta máquina viu',
  },
  description: {
    en: 'The service has no list of products: this is the memory of this machine, with the state that was seen last. Nothing is asked of the service.',
    pt: 'O serviço não tem lista de produtos: esta é a memória desta máquina, com o último estado visto. Nada é perguntado ao serviço.',
  },
  options: {
    status: {
      kind: 'text',
      value: 'name',
      summary: { en: 'Only this state, e.g. Error', pt: 'Só este estado, p. ex. Error' },
    },
    limit: {
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'At most so many', pt: 'No máximo tantos' },
    },
  },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product list',
      summary: { en: 'All, newest first', pt: 'Todos, os mais novos primeiro' },
    },
    {
      command: 'fiscal product list --status Error -o id',
      summary: { en: 'The ids of those in Error', pt: 'Os ids dos que estão em Error' },
    },
  ],
  exitCodes: [],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['id', 'sku', 'status', 'seenAt']);
  },
  async run({ context, options }) {
    const { listProducts } = await import('../../services/product/list.js');
    return listProducts(context, { status: options.status, limit: options.limit });
  },
});
