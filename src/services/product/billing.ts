import type { Text } from '../../contract/text.js';
import type { ItemRow } from '../../store/store.js';

/** What a person must hear of the bill of one product, once it was sent. */
export function billingNotices({ billed, attempts }: ItemRow, retryBillable: boolean): readonly Text[] {
  if (!billed) return [];
  return retryBillable && attempts > 1 ? [billedOne, repeated(attempts)] : [billedOne];
}

function repeated(attempts: number): Text {
  return {
    en: `it was sent ${attempts} times, as --retry-billable allows: every send whose outcome is unknown may be billed as well`,
    pt: `foi enviado ${attempts} vezes, como --retry-billable permite: cada envio de resultado desconhecido também pode ser cobrado`,
  };
}

/** §1: the registry belongs to the tax engine, which is billed apart from issuance. */
const billedOne: Text = {
  en: 'the tax engine bills this call, because the product carries tax rules (fiscal usage shows it)',
  pt: 'o motor de cálculo cobra esta chamada, pois o produto tem regras fiscais (veja fiscal usage)',
};
