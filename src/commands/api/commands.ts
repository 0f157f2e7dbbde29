import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Any call of the service', pt: 'Qualquer chamada do serviço' },
  description: {
    en: 'Uses the keys, timeouts, retries (GET only) and masking of the profile. The response body is printed unchanged; with -o, --fields or --query it is parsed.',
    pt: 'Usa as chaves, os limites de tempo, as repetições (só GET) e o mascaramento do perfil. O corpo da resposta é mostrado sem alterações; com -o, --fields ou --query ele é interpretado.',
  },
  arguments: [
    {
      name: 'method',
      summary: { en: 'GET, POST, PUT or DELETE', pt: 'GET, POST, PUT ou DELETE' },
      required: true,
    },
    {
      name: 'path',
      summary: {
        en: 'Path, or an address on a host of the profile',
        pt: 'Caminho, ou endereço em um host do perfil',
      },
      required: true,
    },
  ],
  options: {
    host: {
      kind: 'choice',
      choices: ['product', 'query', 'service', 'legalEntity', 'naturalPerson', 'address'],
      default: 'product',
      summary: { en: 'Host of the profile', pt: 'Host do perfil' },
    },
    key: {
      kind: 'choice',
      choices: ['invoice', 'data'],
      summary: {
        en: 'Key to send (by default the one of the host)',
        pt: 'Chave a enviar (por padrão a do host)',
      },
    },
    dataFile: {
      kind: 'text',
      value: 'file|-',
      summary: { en: 'JSON body, from a file or stdin', pt: 'Corpo JSON, de um arquivo ou do stdin' },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: "fiscal api GET '/v2/companies?limit=5'",
      summary: { en: 'A read', pt: 'Uma leitura' },
    },
    {
      command: 'fiscal api POST /v2/webhooks --data-file hook.json',
      summary: { en: 'A write, sent once', pt: 'Uma escrita, enviada uma vez' },
    },
  ],
  exitCodes: [3, 4, 5, 6, 7, 9, 10, 12],
  async run({ arguments: { method = '', path = '' }, options, context }) {
    const { callApi } = await import('./call.js');
    const { output, fields, query } = await context.settings();
    const parse = output !== undefined || fields !== undefined || query !== undefined;
    return await callApi(context, { method, path, ...options, parse });
  },
});
