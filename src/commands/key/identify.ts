import { bareKey, checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import type { Issue } from '../../domain/issue.js';
import { checkPostalCode, formatPostalCode } from '../../domain/address.js';
import { checkCnpj, checkCpf, formatCnpj, maskCpf } from '../../domain/tax-number.js';

/** What a value is, told by its length: 44 and 50 are access keys, 14 a CNPJ, 11 a CPF, 8 a CEP. */
export interface Identified {
  readonly value: string;
  readonly kind: string;
  readonly valid: boolean;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  /** As an error may repeat it: a CPF is masked, a long text is cut. */
  readonly shown: string;
}

const lengths = {
  en: '44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF) or 8 (CEP) characters are expected',
  pt: 'esperam-se 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF) ou 8 (CEP) caracteres',
};

export function identify(text: string): Identified {
  switch (bareKey(text).length) {
    case 44: {
      const check = checkInvoiceKey(text);
      return {
        ...check,
        kind: check.parts?.kind ?? 'unknown',
        parts: { ...check.parts },
        shown: check.value,
      };
    }
    case 50: {
      const check = checkServiceKey(text);
      return { ...check, kind: 'nfse', parts: { ...check.parts }, shown: check.value };
    }
    case 14: {
      const check = checkCnpj(text);
      const parts = { cnpj: check.value, formatted: formatCnpj(check.value) };
      return { ...check, parts, shown: check.value };
    }
    case 11: {
      const check = checkCpf(text);
      return { ...check, parts: { cpf: check.value }, shown: maskCpf(check.value) };
    }
    case 8: {
      const check = checkPostalCode(text);
      const parts = { cep: check.value, formatted: formatPostalCode(check.value) };
      return { ...check, parts, shown: check.value };
    }
    default:
      return unidentified(bareKey(text));
  }
}

function unidentified(value: string): Identified {
  const issue: Issue = { code: 'length', severity: 'error', field: 'value', message: lengths };
  const shown = value.length > 60 ? `${value.slice(0, 8)}… (${value.length})` : value;
  return { value: value.slice(0, 60), kind: 'unknown', valid: false, parts: {}, issues: [issue], shown };
}
