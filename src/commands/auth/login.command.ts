import { defineCommand } from '../../cli/command.js';
import { hostsFrom, loginOptions } from './login-options.js';
import { gatherKeys } from './gather-keys.js';

export const command = defineCommand({
  summary: { en: 'Store the keys of a profile', pt: 'Guarda as chaves de um perfil' },
  description: {
    en: 'Keys are asked for, or read from stdin: lines invoice=…, data=…, jwt=…, or one line that is the invoice key. The invoice key is checked by listing the companies; a refused key is not stored. A key is never an argument.',
    pt: 'As chaves são perguntadas, ou lidas do stdin: linhas invoice=…, data=…, jwt=…, ou uma linha que é a chave invoice. A chave invoice é verificada listando as empresas; uma chave recusada não é guardada. Uma chave nunca é argumento.',
  },
  options: loginOptions,
  examples: [
    {
      command: 'fiscal auth login --preset nfe.io',
      summary: { en: 'Asks for the keys', pt: 'Pergunta as chaves' },
    },
    {
      command: 'fiscal auth login --profile acme --product-url https://api.example.com --stdin < keys.txt',
      summary: { en: 'Keys from a file', pt: 'Chaves de um arquivo' },
    },
  ],
  exitCodes: [4, 5, 7, 12],
  async run({ options, context, io }) {
    const { logIn } = await import('./login.js');
    const keys = await gatherKeys({ context, io, fromStdin: options.stdin });
    return await logIn(context, {
      profile: options.profile ?? 'default',
      preset: options.preset,
      hosts: hostsFrom(options),
      keys,
      check: !options.noCheck,
    });
  },
});
