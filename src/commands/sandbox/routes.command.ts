import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the routes, and who promises each', pt: 'Lista as rotas, e quem promete cada uma' },
  description: {
    en: 'doc: the service document. public: published by services of this kind. assumed: a choice of this program.',
    pt: 'doc: o documento do serviço. public: publicado por serviços deste tipo. assumed: uma escolha deste programa.',
  },
  options: {},
  examples: [{ command: 'fiscal sandbox routes', summary: { en: 'All routes', pt: 'Todas as rotas' } }],
  exitCodes: [],
  idField: 'operation',
  async run() {
    const { listRoutes } = await import('./routes.js');
    return { data: listRoutes() };
  },
});
