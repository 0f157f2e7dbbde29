import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List the products that this machine has seen',
    pt: 'Lista os produtos que esta máquina viu',
  },
  description: {
    en: 'The service has no list of products: this is what this machine knows, with the state that was seen last and when (seenAt). Nothing is asked of the service. A product that was made elsewhere becomes known by fiscal product get <id>.',
    pt: 'O serviço não tem lista de produtos: isto é o que esta máquina conhece, com o último estado visto e quando (seenAt). Nada é perguntado ao serviço. Um produto criado em outro lugar passa a ser conhecido com fiscal product get <id>.',
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
      summary: { en: 'The ids of those last seen in Error', pt: 'Os ids dos vistos em Error por último' },
    },
  ],
  exitCodes: [],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['sku', 'name', 'status', 'seenAt', 'id']);
  },
  async run({ context, options }) {
    const { listProducts } = await import('./list.js');
    return listProducts(context, { status: options.status, limit: options.limit });
  },
});
