import { defineCommand } from '../../cli/command.js';
import { seedOptions } from './seed-options.js';

export const command = defineCommand({
  summary: {
    en: 'Add invented companies, products and captured documents',
    pt: 'Acrescenta empresas, produtos e documentos capturados inventados',
  },
  options: seedOptions,
  examples: [
    {
      command: 'fiscal sandbox seed --scenario month --documents 10000 --companies 20',
      summary: { en: 'A month to capture', pt: 'Um mês para capturar' },
    },
    {
      command: 'fiscal sandbox seed --documents 20 --stage summary',
      summary: { en: 'NF-e that wait for the awareness', pt: 'NF-e que esperam a ciência' },
    },
    {
      command: 'fiscal sandbox seed --scenario history --documents 5000 --companies 5',
      summary: { en: 'A hidden history to release', pt: 'Um histórico oculto para liberar' },
    },
    {
      command: 'fiscal sandbox seed --companies 25 --products 1000',
      summary: { en: 'Something to list', pt: 'Algo para listar' },
    },
    {
      command: 'fiscal sandbox seed --documents 500 -o id > keys.txt',
      summary: { en: 'Keys to manifest', pt: 'Chaves para manifestar' },
    },
  ],
  exitCodes: [5, 6],
  idField: 'accessKey',
  async run({ options: { spread, ...options }, context }) {
    const { seedSandbox } = await import('./seed.js');
    return { data: await seedSandbox(context, { ...options, spreadMs: spread }) };
  },
});
