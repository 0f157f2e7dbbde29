import { each, list, listOf, type Outputs, record, usual } from '../../presenters/record.js';

const issue = record({ ...usual('code severity field'), ...each('sentence', 'message: mensagem') });

const parts = record(
  {},
  {
    ...usual('model state stateCode series'),
    ...each(
      'text',
      `yearMonth: year and month | ano e mês, registration: inscrição,
    number: número, emission: forma de emissão, random: código numérico (cNF),
    checkDigit: dígito verificador, municipality: município, generator: gerador,
    registrationKind: kind of registration | tipo de inscrição, cnpj: CNPJ | CNPJ, cpf: CPF | CPF,
    cep: CEP | CEP, formatted: formatado`,
    ),
    ...each('word', 'registrationOf: inscrição de quem'),
  },
);

export const outputs: Outputs = {
  'key check': list({
    key: record(
      { ...usual('value kind'), ...each('flag', 'valid: válidos'), ...each(listOf(issue), 'issues') },
      each(parts, 'parts'),
    ),
  }),
};
