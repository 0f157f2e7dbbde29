/** The shapes of `detail`, by event (facts §3). Names beyond `justification` are assumed. */

export type FieldKind = 'item' | 'money' | 'rate' | 'quantity' | 'unit' | 'credit-code';

export type FieldShape =
  | { readonly name: string; readonly kind: FieldKind }
  | {
      readonly name: string;
      readonly kind: 'group';
      readonly optional: boolean;
      readonly fields: readonly FieldShape[];
    };

export type DetailShape =
  | { readonly kind: 'none' }
  | { readonly kind: 'justification'; readonly required: boolean }
  /** `indAceitacao` 0 or 1. */
  | { readonly kind: 'acceptance' }
  /** A list of 1 to 990 entries, each about one item of the note. */
  | { readonly kind: 'items'; readonly name: string; readonly fields: readonly FieldShape[] }
  /** `tpEventoAut` and `nProtEvento` of the event that is taken back. */
  | { readonly kind: 'cancellation' };

/** Entries of a list, and item numbers of a note. */
export const MAX_ITEMS = 990;

/** What 110001 can take back; never the recipient's own 2102xx. */
export const cancellableEvents: readonly number[] = [
  211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120,
];

const item: FieldShape = { name: 'nItem', kind: 'item' };
const taxes: readonly FieldShape[] = [
  { name: 'vIBS', kind: 'money' },
  { name: 'vCBS', kind: 'money' },
];

/** Items with their taxes and the stock that left. */
function stockItems(name: string, quantity: string, unit: string): DetailShape {
  const fields: readonly FieldShape[] = [
    { name: quantity, kind: 'quantity' },
    { name: unit, kind: 'unit' },
  ];
  const stock: FieldShape = { name: 'gControleEstoque', kind: 'group', optional: false, fields };
  return { kind: 'items', name, fields: [item, ...taxes, stock] };
}

function presumed(name: string): FieldShape {
  const fields: readonly FieldShape[] = [
    { name: 'pCredPres', kind: 'rate' },
    { name: 'vCredPres', kind: 'money' },
  ];
  return { name, kind: 'group', optional: true, fields };
}

const shapes: Readonly<Record<number, DetailShape>> = {
  210220: { kind: 'justification', required: false },
  210240: { kind: 'justification', required: true },
  211110: {
    kind: 'items',
    name: 'gCredPresOper',
    fields: [
      item,
      { name: 'vBCCredPres', kind: 'money' },
      { name: 'cCredPres', kind: 'credit-code' },
      presumed('gIBSCredPres'),
      presumed('gCBSCredPres'),
    ],
  },
  211124: stockItems('gPerecimento', 'qPerecimento', 'uPerecimento'),
  211128: { kind: 'acceptance' },
  211130: stockItems('gImobilizacao', 'qImobilizado', 'uImobilizado'),
  211140: stockItems('gConsumoComb', 'qComb', 'uComb'),
  211150: {
    kind: 'items',
    name: 'gCredito',
    fields: [item, { name: 'vCredIBS', kind: 'money' }, { name: 'vCredCBS', kind: 'money' }],
  },
  212110: { kind: 'acceptance' },
  212120: { kind: 'acceptance' },
  110001: { kind: 'cancellation' },
};

/** The shape of an event's `detail`. */
export function detailShapeOf(code: number): DetailShape {
  return shapes[code] ?? { kind: 'none' };
}

/** The shape in one line, as `manifestation codes` shows it. */
export function describeDetail(code: number): string {
  const shape = detailShapeOf(code);
  switch (shape.kind) {
    case 'none':
      return '';
    case 'justification':
      return shape.required ? 'justification' : 'justification?';
    case 'acceptance':
      return 'indAceitacao 0|1';
    case 'items':
      return `${shape.name}[1..${MAX_ITEMS}]{${describeFields(shape.fields)}}`;
    case 'cancellation':
      return 'tpEventoAut, nProtEvento';
  }
}

function describeFields(fields: readonly FieldShape[]): string {
  return fields
    .map((field) =>
      field.kind === 'group'
        ? `${field.name}${field.optional ? '?' : ''}{${describeFields(field.fields)}}`
        : field.name,
    )
    .join(', ');
}
