import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';
import { canonicalTaxName, fieldOf, productShape, type Shape } from './product-shape.js';
import { isRecord } from './record.js';
import { isNumber } from './json-numbers.js';

/** One field in which two products differ. An absent side is a field that only the other product has. */
export interface FieldChange {
  /** Path in canonical names, e.g. `customTax[0].intraState.icms.pICMS`. */
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * The changes that an update would make. Letter case of names and enum values, numbers instead of text in tax groups,
 * and trailing zeros of a rate do not count (§2). Fields that neither the list of fields nor `wanted` contains belong
 * to the service (such as dates) and are ignored, as are the `id`, `status` and `errorMessage` of its answer.
 */
export function productDifferences(current: unknown, wanted: unknown): readonly FieldChange[] {
  const before = leavesOf(current);
  const after = leavesOf(wanted);
  const named = new Set([...after.values()].map((leaf) => leaf.unlisted));
  const changed: FieldChange[] = [];
  for (const [key, { path, value, unlisted }] of before) {
    const other = after.get(key);
    if (other === undefined) {
      if (unlisted === undefined || named.has(unlisted)) changed.push({ field: path, from: value });
    } else if (!isSameValue(value, other.value, path)) {
      changed.push({ field: path, from: value, to: other.value });
    }
  }
  for (const [key, { path, value }] of after) {
    if (!before.has(key)) changed.push({ field: path, to: value });
  }
  return changed;
}

interface Leaf {
  readonly path: string;
  readonly value: unknown;
  /** Path of the unlisted field that contains this leaf. */
  readonly unlisted?: string;
}

interface LeafPosition {
  readonly path: string;
  readonly unlisted?: string;
}

const givenByTheService = new Set(['id', 'status', 'errormessage']);

/** Every single value of a product, by its path in lower case. Empty groups and lists have none. */
function leavesOf(product: unknown): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const add = (position: LeafPosition, value: unknown) =>
    leaves.set(position.path.toLowerCase(), { ...position, value });
  const walk = (shape: Shape | undefined, value: unknown, position: LeafPosition): void => {
    if (value === null || value === undefined) return;
    if (shape?.kind === 'list' && !Array.isArray(value)) {
      // The service document shows `customTax` as an object, the published form is a list of one.
      walk(shape, [value], position);
    } else if (Array.isArray(value)) {
      const of = shape?.kind === 'list' ? shape.of : shape;
      for (const [index, element] of value.entries()) {
        walk(of, element, { ...position, path: `${position.path}[${index}]` });
      }
    } else if (isRecord(value)) {
      for (const [name, field] of Object.entries(value)) {
        if (position.path === '' && givenByTheService.has(name.toLowerCase())) continue;
        const step = stepInto(shape, name, position);
        walk(step.shape, field, step.position);
      }
    } else {
      add(position, canonicalValue(shape, value));
    }
  };
  walk(productShape, product, { path: '' });
  return leaves;
}

function stepInto(shape: Shape | undefined, name: string, { path, unlisted }: LeafPosition) {
  const under = (known: string) => (path === '' ? known : `${path}.${known}`);
  const listed = shape?.kind === 'group' ? fieldOf(shape, name) : undefined;
  if (listed !== undefined) return { shape: listed.shape, position: { path: under(listed.name) } };
  const canonical = under(canonicalTaxName(name));
  if (shape?.kind === 'tax-group') {
    return { shape, position: { path: canonical, ...(unlisted === undefined ? {} : { unlisted }) } };
  }
  return { shape: undefined, position: { path: canonical, unlisted: unlisted ?? canonical.toLowerCase() } };
}

function canonicalValue(shape: Shape | undefined, value: unknown): unknown {
  if (shape?.kind === 'name' && typeof value === 'string') {
    return shape.names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value;
  }
  if (shape?.kind === 'integer' && typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  if (shape?.kind === 'tax-group' && isNumber(value)) return numberToDecimalText(Number(value)) ?? value;
  return value;
}

/** Rates and amounts (`pICMS`, `vBC`) are compared as numbers; other values, such as a CST, as text. */
function isSameValue(left: unknown, right: unknown, path: string): boolean {
  if (left === right) return true;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  if (!/(^|\.)[pv][A-Z]\w*$/.test(path)) return false;
  const areDecimals = parseDecimalText(left) !== undefined && parseDecimalText(right) !== undefined;
  return areDecimals && compareDecimalText(left, right) === 0;
}
