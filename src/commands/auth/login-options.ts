import type { OptionSpecs, OptionValues } from '../../cli/command.js';
import type { HostAddresses } from '../../config/files.js';
import type { Text } from '../../contract/text.js';

export const loginOptions = {
  profile: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Profile to make or change (default)', pt: 'Perfil a criar ou alterar (default)' },
  },
  preset: {
    kind: 'choice',
    choices: ['nfe.io'],
    summary: { en: 'Addresses of a known service', pt: 'Endereços de um serviço conhecido' },
  },
  productUrl: address({ en: 'Address of the product API', pt: 'Endereço da API de produto' }),
  queryUrl: address({ en: 'Address of the query API', pt: 'Endereço da API de consultas' }),
  serviceUrl: address({ en: 'Address of the service API', pt: 'Endereço da API de serviço' }),
  stdin: {
    kind: 'toggle',
    summary: { en: 'Read the keys from stdin', pt: 'Lê as chaves do stdin' },
  },
  noCheck: {
    kind: 'toggle',
    summary: { en: 'Store without asking the service', pt: 'Guarda sem perguntar ao serviço' },
  },
} as const satisfies OptionSpecs;

export function hostsFrom(options: OptionValues<typeof loginOptions>): HostAddresses {
  const { productUrl, queryUrl, serviceUrl } = options;
  return {
    ...(productUrl === undefined ? {} : { product: productUrl }),
    ...(queryUrl === undefined ? {} : { query: queryUrl }),
    ...(serviceUrl === undefined ? {} : { service: serviceUrl }),
  };
}

function address(summary: Text): { kind: 'text'; value: string; summary: Text } {
  return { kind: 'text', value: 'https://…', summary };
}
