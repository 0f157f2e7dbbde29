import { argumentsOf, define, does, example, wholeExample } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';

export const check = define(
  'Check access keys, CNPJ, CPF and CEP, and show their parts',
  'Confere chaves de acesso, CNPJ, CPF e CEP, e mostra as partes',
  {
    description: {
      en: 'The length decides the kind: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Checks format and check digits, not whether the document exists, and shows the parts. A warning does not make a value invalid. The number in a key is not always that of the issuer: registrationOf shows whose it is.',
      pt: 'O comprimento determina o tipo: 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF), 8 (CEP). Confere o formato e os dígitos verificadores, não a existência do documento, e mostra as partes. Um aviso não torna o valor inválido. O número na chave nem sempre é o do emitente: registrationOf diz de quem é.',
    },
    takes: { value: argumentsOf('Values, or - for stdin, one per line', 'Valores, ou - para o stdin, um por linha') },
    options: {},
    examples: [
      example(
        '35250530057049000141550010000280181030656857',
        'State, month, model, series, number',
        'Estado, mês, modelo, série, número',
      ),
      wholeExample(
        'cut -d, -f1 notes.csv | fiscal key check - --query "[?!valid].value"',
        'The invalid ones of a file',
        'As inválidas de um arquivo',
      ),
    ],
    id: 'value',
    view: async () => (await import('../../presenters/key-checks.js')).keyChecksView,
  },
);

export const group: CommandGroup = { verbs: { check: does(check, async () => (await import('./keys.js')).checkKeys) } };
