import type { ProductInput } from '../contract/product.js';
import type { Text } from '../contract/text.js';
import { NumberLiteral } from './product-number.js';
import {
  canonicalTaxName,
  fieldOf,
  productShape,
  requiredProductFields,
  type GroupShape,
  type Shape,
} from './product-shape.js';
import { readTaxValue } from './product-tax-value.js';
import { readDigits, readInteger, readName, readText, type Read } from './product-values.js';
import { isRecord } from './record.js';

/** A sentence about one field; `field` is its path as it was written, e.g. `customTax[0].intraState.icms.pICMS`. */
export interface ProductFinding {
  readonly field: string;
  readonly message: Text;
}

export interface CheckedProduct {
  /** The product in canonical names and values. To be sent only when there are no problems. */
  readonly product: ProductInput;
  readonly problems: readonly ProductFinding[];
  /** What was done silently otherwise: nulls left out, unknown fields sent as written. */
  readonly notes: readonly ProductFinding[];
}

/** A product of many scenarios can be wrong in each; a person reads the first ones. */
const MAX_FINDINGS = 50;

/**
 * Reads a product as a person or a program wrote it: names in any letter case at every depth, enum names too, numbers
 * in tax groups (§2). Reports all problems at once. `forCreate` asks for the fields that a create needs.
 */
export function checkProduct(raw: unknown, options: { readonly forCreate: boolean }): CheckedProduct {
  const walk = new Walk();
  const product = walk.read(productShape, raw, { path: '', name: '' });
  if (isGroup(product)) walk.require(product, options.forCreate ? requiredProductFields : []);
  return { product: isGroup(product) ? product : {}, problems: walk.problems, notes: walk.notes };
}

interface Place {
  readonly path: string;
  /** Canonical name of the field, which decides what a tax value may be. */
  readonly name: string;
}

class Walk {
  readonly problems: ProductFinding[] = [];
  readonly notes: ProductFinding[] = [];

  read(shape: Shape, value: unknown, place: Place): unknown {
    switch (shape.kind) {
      case 'text':
        return this.value(readText(value, shape.maxLength), place);
      case 'digits':
        return this.value(readDigits(value, shape), place);
      case 'name':
        return this.value(readName(value, shape.names), place);
      case 'integer':
        return this.value(readInteger(value, shape), place);
      case 'tax-group':
        return this.taxGroup(value, place);
      case 'list':
        return this.list(shape.of, value, place);
      case 'group':
        return this.group(shape, value, place);
    }
  }

  require(product: Readonly<Record<string, unknown>>, names: readonly string[]): void {
    for (const name of names) {
      const value = product[name];
      const isAlreadyTold = this.problems.some(
        (problem) => problem.field.toLowerCase() === name.toLowerCase(),
      );
      if ((value === undefined || value === '') && !isAlreadyTold) this.problem(name, required);
    }
    if (Object.keys(product).length === 0 && this.problems.length === 0) this.problem('', emptyProduct);
  }

  private value(read: Read, place: Place): unknown {
    if ('problem' in read) this.problem(place.path, read.problem);
    return 'problem' in read ? undefined : read.value;
  }

  private list(of: Shape, value: unknown, place: Place): unknown {
    if (!Array.isArray(value)) return this.read(of, value, place);
    return value.map((element: unknown, index) =>
      this.read(of, element, { path: `${place.path}[${index}]`, name: place.name }),
    );
  }

  private group(shape: GroupShape, value: unknown, place: Place): unknown {
    return this.fields(value, place, (name, field, path) => {
      const known = fieldOf(shape, name);
      if (known)
        return { name: known.name, value: this.read(known.shape, field, { path, name: known.name }) };
      this.note(path, keptAsWritten);
      return { name, value: plainNumbers(field) };
    });
  }

  private taxGroup(value: unknown, place: Place): unknown {
    return this.fields(value, place, (written, field, path) => {
      const name = canonicalTaxName(written);
      const isNested = isGroup(field) || Array.isArray(field);
      const inner = { path, name };
      return {
        name,
        value: isNested ? this.list({ kind: 'tax-group' }, field, inner) : this.taxValue(field, inner),
      };
    });
  }

  private taxValue(value: unknown, place: Place): string | undefined {
    const read = readTaxValue(place.name, value);
    if ('text' in read) return read.text;
    this.problem(place.path, read.problem);
    return undefined;
  }

  private fields(
    value: unknown,
    place: Place,
    readField: (name: string, field: unknown, path: string) => { name: string; value: unknown },
  ): unknown {
    if (!isGroup(value)) {
      this.problem(place.path, mustBeObject);
      return undefined;
    }
    const entries = new Map<string, unknown>();
    for (const [name, field] of Object.entries(value)) {
      const path = place.path === '' ? name : `${place.path}.${name}`;
      if (field === null) {
        this.note(path, nullLeftOut);
        continue;
      }
      const read = readField(name, field, path);
      if (entries.has(read.name)) this.problem(path, givenTwice);
      else entries.set(read.name, read.value);
    }
    // fromEntries, not assignment: a field called `__proto__` stays a field.
    return Object.fromEntries([...entries].filter(([, field]) => field !== undefined));
  }

  private problem(field: string, message: Text): void {
    if (this.problems.length < MAX_FINDINGS) this.problems.push({ field, message });
  }

  private note(field: string, message: Text): void {
    if (this.notes.length < MAX_FINDINGS) this.notes.push({ field, message });
  }
}

/** A number that is kept as it was written is an object to the language only. */
function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof NumberLiteral);
}

/** Number literals back to numbers, for a product or field that is sent as it was written. */
export function plainNumbers(value: unknown): unknown {
  if (value instanceof NumberLiteral) return value.toJSON();
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainNumbers(field)]));
}

const required: Text = { en: 'is required to create a product', pt: 'é obrigatório para criar um produto' };
const emptyProduct: Text = { en: 'the product has no fields', pt: 'o produto não tem campos' };
const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
const givenTwice: Text = {
  en: 'is given twice, in different letter case',
  pt: 'aparece duas vezes, com maiúsculas e minúsculas diferentes',
};
const nullLeftOut: Text = { en: 'is null and is left out', pt: 'é nulo e não é enviado' };
const keptAsWritten: Text = {
  en: 'is not a known field and is sent as written',
  pt: 'não é um campo conhecido e é enviado como foi escrito',
};
