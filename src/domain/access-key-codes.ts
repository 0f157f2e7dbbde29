/** What a key of 44 characters stands for, by its model (facts §1). */
export type InvoiceKind =
  | 'nfe'
  | 'nfce'
  | 'cte'
  | 'cte-os'
  | 'mdfe'
  | 'cfe-sat'
  | 'nfcom'
  | 'bpe'
  | 'gtve'
  | 'nf3e';

export const invoiceModels: Readonly<Record<string, InvoiceKind>> = {
  55: 'nfe',
  65: 'nfce',
  57: 'cte',
  67: 'cte-os',
  58: 'mdfe',
  59: 'cfe-sat',
  62: 'nfcom',
  63: 'bpe',
  64: 'gtve',
  66: 'nf3e',
};

const states: Readonly<Record<string, string>> = {
  11: 'RO',
  12: 'AC',
  13: 'AM',
  14: 'RR',
  15: 'PA',
  16: 'AP',
  17: 'TO',
  21: 'MA',
  22: 'PI',
  23: 'CE',
  24: 'RN',
  25: 'PB',
  26: 'PE',
  27: 'AL',
  28: 'SE',
  29: 'BA',
  31: 'MG',
  32: 'ES',
  33: 'RJ',
  35: 'SP',
  41: 'PR',
  42: 'SC',
  43: 'RS',
  50: 'MS',
  51: 'MT',
  52: 'GO',
  53: 'DF',
};

/** `35` → `SP`, by the codes of IBGE. */
export function stateOfCode(code: string): string | undefined {
  return states[code];
}
