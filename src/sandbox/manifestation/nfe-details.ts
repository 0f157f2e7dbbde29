import { invalid } from '../core/refusal.js';
import { findJustificationFault } from './justification.js';
import { type FieldShapes, items, object, oneOf, type Shape, text } from './shape.js';

const amount = text(/^\d{1,13}\.\d{2}$/, 'Must be text with two decimals.');
const percentage = text(/^\d{1,3}\.\d{2,4}$/, 'Must be text with two to four decimals.');
const quantity = text(/^\d{1,11}(\.\d{1,4})?$/, 'Must be text with at most four decimals.');
const unit = text(/^[\u0021-\u00ff][\u0020-\u00ff]{0,5}$/, 'Must be text of 1 to 6 characters.');
const anyText = text(/[^]*/, 'Must be text.');
const cancellable = [211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120];

const justification: Shape = (value, path) => {
  const fault = findJustificationFault(value);
  if (fault !== null) throw invalid(path, fault);
};

const credit = object({ required: { pCredPres: percentage, vCredPres: amount } });
const acceptance: FieldShapes = { required: { indAceitacao: oneOf([0, 1]) } };

/** A list of items with the values of both taxes and a count of what is lost, fixed or burnt. */
function stock(group: string, count: string, unitName: string): FieldShapes {
  const control = object({ required: { [count]: quantity, [unitName]: unit } });
  return {
    required: { [group]: items({ required: { vIBS: amount, vCBS: amount, gControleEstoque: control } }) },
  };
}

/** The accepted codes (§4), each with what its `detail` holds (facts §3; the names are assumed). */
const details: ReadonlyMap<number, FieldShapes> = new Map<number, FieldShapes>([
  [210200, {}],
  [210210, {}],
  [210220, { optional: { justification } }],
  // Its length is a check of its own, the sixth.
  [210240, { optional: { justification: anyText } }],
  [
    211110,
    {
      required: {
        gCredPresOper: items({
          required: {
            vBCCredPres: amount,
            cCredPres: text(/^\d{1,2}$/, 'Must be text of one or two digits.'),
          },
          optional: { gIBSCredPres: credit, gCBSCredPres: credit },
        }),
      },
    },
  ],
  [211124, stock('gPerecimento', 'qPerecimento', 'uPerecimento')],
  [211128, acceptance],
  [211130, stock('gImobilizacao', 'qImobilizado', 'uImobilizado')],
  [211140, stock('gConsumoComb', 'qComb', 'uComb')],
  [211150, { required: { gCredito: items({ required: { vCredIBS: amount, vCredCBS: amount } }) } }],
  [212110, acceptance],
  [212120, acceptance],
  [
    110001,
    {
      required: {
        tpEventoAut: oneOf(cancellable),
        nProtEvento: text(/^(\d{15}|\d{17})$/, 'Must be text of 15 or 17 digits.'),
      },
    },
  ],
]);

const removed = 211120;
const ofTheAuthority: readonly number[] = [412120, 412130];

/** §4, check 3. */
export function requireAcceptedCode(eventCode: number): void {
  if (details.has(eventCode)) return;
  throw invalid('eventCode', reasonAgainst(eventCode));
}

function reasonAgainst(eventCode: number): string {
  if (eventCode === removed) return 'Was removed by NT 2025.002-RTC v1.40.';
  if (ofTheAuthority.includes(eventCode)) return 'Is an event of the tax authority, which is read-only.';
  return `Must be one of: ${[...details.keys()].join(', ')}.`;
}

/** §4, check 4. */
export function requireFittingDetail(eventCode: number, detail: Readonly<Record<string, unknown>>): void {
  object(details.get(eventCode) ?? {})(detail, 'detail');
}

/** §4, check 6. */
export function requireJustification(eventCode: number, detail: Readonly<Record<string, unknown>>): void {
  if (eventCode !== 210240) return;
  if (detail['justification'] === undefined) throw invalid('detail.justification', 'Is required.');
  justification(detail['justification'], 'detail.justification');
}
