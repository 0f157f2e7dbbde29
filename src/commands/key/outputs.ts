import {
  each,
  flag,
  list,
  listOf,
  one,
  type Outputs,
  record,
  sentence,
  text,
} from '../../cli/output-schema.js';

const issue = record({ ...each(text, 'code severity field'), message: sentence });

export const outputs: Outputs = {
  'key check': list({ key: record({ ...each(text, 'value kind'), valid: flag, issues: listOf(issue) }) }),
  'key parse': one({
    key: record(
      each(text, 'value kind'),
      each(
        text,
        'stateCode state yearMonth registration registrationOf model series number emission random checkDigit municipality generator registrationKind cnpj cpf cep formatted',
      ),
    ),
  }),
};
