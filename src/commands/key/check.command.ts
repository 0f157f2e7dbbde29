import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'Check access keys, CNPJ, CPF and CEP',
    pt: 'Confere chaves de acesso, CNPJ, CPF e CEP',
  },
  description: {
    en: 'The kind is told by the length: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Form and check digits are checked, not whether the document exists. A warning does not make a value invalid.',
    pt: 'O tipo é dado pelo comprimento: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Conferem-se a forma e os dígitos verificadores, não a existência do documento. Um aviso não torna o valor inválido.',
  },
  arguments: [
    {
      name: 'value',
      summary: { en: 'Values, or - for stdin, one a line', pt: 'Valores, ou - para o stdin, um por linha' },
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
    const { checkKeys } = await import('./check.js');
    return checkKeys(context, rest);
  },
});
