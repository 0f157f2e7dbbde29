import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show what a key says', pt: 'Mostra o que uma chave diz' },
  description: {
    en: 'The parts of an access key, a CNPJ, a CPF or a CEP. The number in a key is not always that of the issuer: the field registrationOf says whose it is.',
    pt: 'As partes de uma chave de acesso, de um CNPJ, CPF ou CEP. O número na chave nem sempre é o do emitente: o campo registrationOf diz de quem é.',
  },
  arguments: [
    { name: 'value', summary: { en: 'The key or number', pt: 'A chave ou o número' }, required: true },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal key parse 35250530057049000141550010000280181030656857 -o json',
      summary: { en: 'State, month, model, series, number', pt: 'Estado, mês, modelo, série, número' },
    },
  ],
  exitCodes: [],
  idField: 'value',
  run: async (invocation) => {
    const { parseKey } = await import('./parse.js');
    return parseKey(invocation.arguments['value'] ?? '');
  },
});
