import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Add invented companies and products', pt: 'Acrescenta empresas e produtos inventados' },
  options: {
    companies: {
      kind: 'count',
      value: 'number',
      default: 0,
      min: 0,
      summary: { en: 'How many companies', pt: 'Quantas empresas' },
    },
    products: {
      kind: 'count',
      value: 'number',
      default: 0,
      min: 0,
      summary: { en: 'How many products, valid and Active', pt: 'Quantos produtos, válidos e Active' },
    },
    seed: {
      kind: 'count',
      value: 'number',
      min: 0,
      summary: { en: 'Seed of what follows', pt: 'Semente do que segue' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox seed --companies 25 --products 1000',
      summary: { en: 'Something to list', pt: 'Algo para listar' },
    },
  ],
  exitCodes: [5, 6],
  async run({ options, context }) {
    const { seedSandbox } = await import('../../services/sandbox/seed.js');
    return { data: await seedSandbox(context, options) };
  },
});
