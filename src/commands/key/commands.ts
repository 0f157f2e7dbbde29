import { type CommandGroup, defineCommand } from '../../cli/command.js';

const check = defineCommand({
  summary: {
    en: 'Check access keys, CNPJ, CPF and CEP, and show their parts',
    pt: 'Confere chaves de acesso, CNPJ, CPF e CEP, e mostra as partes',
  },
  description: {
    en: 'The length decides the kind: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Checks format and check digits, not whether the document exists, and shows the parts. A warning does not make a value invalid. The number in a key is not always that of the issuer: registrationOf shows whose it is.',
    pt: 'O comprimento determina o tipo: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Confere o formato e os dígitos verificadores, não a existência do documento, e mostra as partes. Um aviso não torna o valor inválido. O número na chave nem sempre é o do emitente: registrationOf diz de quem é.',
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
      summary: { en: 'State, month, model, series, number', pt: 'Estado, mês, modelo, série, número' },
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

export const group: CommandGroup = {
  verbs: {
    check,
  },
};
