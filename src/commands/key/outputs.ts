import { each, flag, list, listOf, one, type Outputs, record, text } from '../../cli/output-schema.js';

export const outputs: Outputs = {
  'key check': list({ key: record({ ...each(text, 'value kind'), valid: flag, issues: listOf(text) }) }),
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
