import { compareDecimalText, numberToDecimalText, parseDecimalText } from './decimal-text.js';
import { canonicalTaxName, fieldOf, productShape, type Shape } from './product-shape.js';
import { isRecord } from './record.js';

/** One field in which two products differ. An absent side is a field that only the other product has. */
export interface FieldChange {
  /** Path in canonical names, e.g. `customTax[0].intraState.icms.pICMS`. */
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * What an update would change. Letter case of names and of enum values, numbers against text in tax groups, and zeros at
 * the end of a rate are spelling, not content (§2). Fields that no list names and that `wanted` does not have are the
 * service's own (such as dates) and are left alone; so are its answer's `id`, `status` and `errorMessage`.
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
  /** Path of the field, known to no list, that this leaf stands under. */
  readonly unlisted?: string;
}

interface Place {
  readonly path: string;
  readonly unlisted?: string;
}

const givenByTheService = new Set(['id', 'status', 'errormessage']);

/** Every single value of a product by its path in lower case. Empty groups and lists have none. */
function leavesOf(product: unknown): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const add = (place: Place, value: unknown) => leaves.set(place.path.toLowerCase(), { ...place, value });
  const walk = (shape: Shape | undefined, value: unknown, place: Place): void => {
    if (value === null || value === undefined) return;
    if (shape?.kind === 'list' && !Array.isArray(value)) {
      // The document calls `customTax` an object, the published form is a list of one.
      walk(shape, [value], place);
    } else if (Array.isArray(value)) {
      const of = shape?.kind === 'list' ? shape.of : shape;
      for (const [index, element] of value.entries()) {
        walk(of, element, { ...place, path: `${place.path}[${index}]` });
      }
    } else if (isRecord(value)) {
      for (const [name, field] of Object.entries(value)) {
        if (place.path === '' && givenByTheService.has(name.toLowerCase())) continue;
        const step = stepInto(shape, name, place);
        walk(step.shape, field, step.place);
      }
    } else {
      add(place, canonicalValue(shape, value));
    }
  };
  walk(productShape, product, { path: '' });
  return leaves;
}

function stepInto(shape: Shape | undefined, name: string, { path, unlisted }: Place) {
  const under = (known: string) => (path === '' ? known : `${path}.${known}`);
  const listed = shape?.kind === 'group' ? fieldOf(shape, name) : undefined;
  if (listed !== undefined) return { shape: listed.shape, place: { path: under(listed.name) } };
  const canonical = under(canonicalTaxName(name));
  if (shape?.kind === 'tax-group') {
    return { shape, place: { path: canonical, ...(unlisted === undefined ? {} : { unlisted }) } };
  }
  return { shape: undefined, place: { path: canonical, unlisted: unlisted ?? canonical.toLowerCase() } };
}

function canonicalValue(shape: Shape | undefined, value: unknown): unknown {
  if (shape?.kind === 'name' && typeof value === 'string') {
    return shape.names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value;
  }
  if (shape?.kind === 'integer' && typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  if (shape?.kind === 'tax-group' && typeof value === 'number') return numberToDecimalText(value) ?? value;
  return value;
}

/** A rate or an amount (`pICMS`, `vBC`) is a number; everything else, such as a CST, is compared as text. */
function isSameValue(left: unknown, right: unknown, path: string): boolean {
  if (left === right) return true;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  if (!/(^|\.)[pv][A-Z]\w*$/.test(path)) return false;
  const areDecimals = parseDecimalText(left) !== undefined && parseDecimalText(right) !== undefined;
  return areDecimals && compareDecimalText(left, right) === 0;
}
