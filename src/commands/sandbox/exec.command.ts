import { defineCommand } from '../../cli/command.js';
import { sandboxOptions } from './options.js';

export const command = defineCommand({
  summary: { en: 'Run a command against a fresh sandbox', pt: 'Executa um comando contra um sandbox novo' },
  description: {
    en: 'The command finds the address and the keys in its environment (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) and a state of its own. Everything is removed afterwards. Ends with the exit code of the command.',
    pt: 'O comando encontra o endereço e as chaves no ambiente (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) e um estado próprio. Tudo é removido depois. Termina com o código de saída do comando.',
  },
  arguments: [
    {
      name: 'command',
      summary: { en: 'The command, after --', pt: 'O comando, depois de --' },
      required: true,
      variadic: true,
    },
  ],
  options: {
    ...sandboxOptions,
    seed: {
      kind: 'count',
      value: 'number',
      min: 0,
      summary: { en: 'Seed of ids and faults', pt: 'Semente de ids e falhas' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox exec -- npm test',
      summary: {
        en: 'Tests in any language against the service',
        pt: 'Testes em qualquer linguagem contra o serviço',
      },
    },
  ],
  exitCodes: [],
  async run({ rest, options, context }) {
    const [word = '', ...words] = rest;
    const { execInSandbox } = await import('./exec.js');
    const exitCode = await execInSandbox(context, { command: word, words, ...options });
    return { data: undefined, written: true, exitCode };
  },
});
