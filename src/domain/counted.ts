import type { Text } from '../contract/text.js';

/** The singular and the plural of a noun. `#` marks the place of the number; without it the number comes first. */
export interface Forms {
  readonly en: readonly [one: string, many: string];
  readonly pt: readonly [one: string, many: string];
}

/** `1 company`, `2 companies`: the number with the form that fits it. */
export function counted(count: number, { en, pt }: Forms): Text {
  const at = count === 1 ? 0 : 1;
  return { en: withNumber(count, en[at]), pt: withNumber(count, pt[at]) };
}

function withNumber(count: number, form: string): string {
  return form.includes('#') ? form.replace('#', String(count)) : `${count} ${form}`;
}

export const nouns = {
  company: { en: ['company', 'companies'], pt: ['empresa', 'empresas'] },
  day: { en: ['day', 'days'], pt: ['dia', 'dias'] },
  document: { en: ['document', 'documents'], pt: ['documento', 'documentos'] },
  product: { en: ['product', 'products'], pt: ['produto', 'produtos'] },
  item: { en: ['item', 'items'], pt: ['item', 'itens'] },
  field: { en: ['field', 'fields'], pt: ['campo', 'campos'] },
  setting: { en: ['setting', 'settings'], pt: ['configuração', 'configurações'] },
  line: { en: ['line', 'lines'], pt: ['linha', 'linhas'] },
  event: { en: ['event', 'events'], pt: ['evento', 'eventos'] },
  billedCall: { en: ['billed call', 'billed calls'], pt: ['chamada cobrada', 'chamadas cobradas'] },
} as const satisfies Readonly<Record<string, Forms>>;
