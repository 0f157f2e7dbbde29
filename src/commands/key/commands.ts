import { type CommandGroup, defineCommand } from '../../cli/command.js';

const check = defineCommand({
  summary: {
    en: 'Check access keys, CNPJ, CPF and CEP',
    pt: 'Confere chaves de acesso, CNPJ, CPF e CEP',
  },
  description: {
    en: 'The length decides the kind: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Checks format and check digits, not whether the document exists. A warning does not make a value invalid.',
    pt: 'O comprimento determina o tipo: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Confere o formato e os dígitos verificadores, não a existência do documento. Um aviso não torna o valor inválido.',
  },
  arguments: [
    {
      name: 'value',
      summary: { en: 'Values, or - for stdin, one per line', pt: 'Valores, ou - para o stdin, um por linha' },
      required: true,
      variadic: true,
    },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal key check 35250530057049000141550010000280181030656857',
      summary: { en: 'One key', pt: 'Uma chave' },
    },
    {
      command: 'cut -d, -f1 notes.csv | fiscal key check - --query "[?!valid].value"',
      summary: { en: 'The invalid ones of a file', pt: 'As inválidas de um arquivo' },
    },
  ],
  exitCodes: [],
  idField: 'value',
  view: async () => (await import('../../presenters/key-checks.js')).keyChecksView,
  run: async ({ rest, context }) => {
    const { checkKeys } = await import('./keys.js');
    return checkKeys(context, rest);
  },
});

const parse = defineCommand({
  summary: { en: 'Show the parts of a key', pt: 'Mostra as partes de uma chave' },
  description: {
    en: 'The parts of an access key, a CNPJ, a CPF or a CEP. The number in a key is not always that of the issuer: the field registrationOf shows whose it is.',
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
    const { parseKey } = await import('./keys.js');
    return parseKey(invocation.arguments['value'] ?? '');
  },
});

export const group: CommandGroup = {
  verbs: {
    check,
    parse,
  },
};
