import { argument, choice, define, does, example, text } from '../../cli/define.js';

export const api = define('Any call of the service', 'Qualquer chamada do serviço', {
  description: {
    en: 'Uses the keys, timeouts, retries (GET only) and masking of the profile. The response body is printed unchanged; with -o, --fields or --query it is parsed.',
    pt: 'Usa as chaves, os limites de tempo, as repetições (só GET) e o mascaramento do perfil. O corpo da resposta é mostrado sem alterações; com -o, --fields ou --query ele é interpretado.',
  },
  takes: {
    method: argument('GET, POST, PUT or DELETE', 'GET, POST, PUT ou DELETE'),
    path: argument('Path, or an address on a host of the profile', 'Caminho, ou endereço em um host do perfil'),
  },
  options: {
    host: choice(
      ['product', 'query', 'service', 'legalEntity', 'naturalPerson', 'address'],
      'Host of the profile',
      'Host do perfil',
      { default: 'product' },
    ),
    key: choice(
      ['invoice', 'data'],
      'Key to send (by default the one of the host)',
      'Chave a enviar (por padrão a do host)',
    ),
    dataFile: text('file|-', 'JSON body, from a file or stdin', 'Corpo JSON, de um arquivo ou do stdin'),
  },
  refusesCompany: true,
  examples: [
    example("GET '/v2/companies?limit=5'", 'A read', 'Uma leitura'),
    example('POST /v2/webhooks --data-file hook.json', 'A write, sent once', 'Uma escrita, enviada uma vez'),
  ],
  exits: ['partial', 'credentials', 'temporary', 'refused', 'forbidden', 'notFound', 'conflict', 'rateLimited'],
});

export const command = does(api, async () => (await import('./call.js')).callApi);
