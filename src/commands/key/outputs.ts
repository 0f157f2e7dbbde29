import { each, flag, list, listOf, type Outputs, record, sentence, text } from '../../cli/output-schema.js';

const issue = record({ ...each(text, 'code severity field'), message: sentence });

const parts = record(
  {},
  each(
    text,
    'stateCode state yearMonth registration registrationOf model series number emission random checkDigit municipality generator registrationKind cnpj cpf cep formatted',
  ),
);

export const outputs: Outputs = {
  'key check': list({
    key: record({ ...each(text, 'value kind'), valid: flag, issues: listOf(issue) }, { parts }),
  }),
};
