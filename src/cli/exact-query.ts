import { compile, type JSONValue, TreeInterpreter } from '@jmespath-community/jmespath';
import { canonicalJson } from '../domain/canonical-json.js';
import {
  addExactly,
  areNumbers,
  compareExactly,
  divideExactly,
  divideToInteger,
  multiplyExactly,
  remainderExactly,
  subtractExactly,
} from '../domain/exact-decimal.js';
import { closestWord } from './closest-word.js';
import { exactJson, inexactNumbers, isNumber, NumberLiteral, parseExactJson } from '../domain/json-numbers.js';

type Interpreter = typeof TreeInterpreter;
type Node = Parameters<Interpreter['visit']>[0];
type JsonNumber = number | NumberLiteral;

/**
 * Compiles a JMESPath expression that changes no digit of a number: what is selected keeps the digits as they came, and
 * comparisons, sums and operators compute in decimals. Throws an `Error` for a syntax error and for a number in the
 * expression that a JavaScript number cannot hold.
 */
export function compileExactly(expression: string): (data: unknown) => unknown {
  assertExactLiterals(expression);
  const compiled = compile(expression);
  // The library exports one instance, and no class.
  const Interpreter = TreeInterpreter.constructor as new () => Interpreter;
  assertKnownFunctions(compiled, new Interpreter().runtime.getRegistered());
  return (data) =>
    // Converted to JSON and back, so that the query sees exactly what `-o json` would show.
    exact(new Interpreter()).search(compiled, asJson(parseExactJson(exactJson(data))));
}

/** A function that does not exist is told before the command runs. */
function assertKnownFunctions(node: unknown, known: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = node as { readonly type?: unknown; readonly name?: unknown };
  if (type === 'Function' && typeof name === 'string' && !known.includes(name)) {
    const meant = closestWord(name, known);
    throw new Error(`Unknown function: ${name}()${meant === undefined ? '' : `; did you mean ${meant}()?`}`);
  }
  for (const inner of Object.values(node)) assertKnownFunctions(inner, known);
}

const ofNumbersOnly = 'sum|avg|max|min|abs|ceil|floor';

/**
 * The expression with `to_number` where it computes with amounts, which are text: `[].totalInvoiceAmount | sum(@)` →
 * `[].to_number(totalInvoiceAmount) | sum(@)`. `undefined` where that does not work either.
 */
export function withNumbers(expression: string, data: unknown): string | undefined {
  const piped = new RegExp(`\\.(\\w+)(\\s*\\|\\s*(?:${ofNumbersOnly})\\(@\\))`, 'g');
  const inner = new RegExp(`\\b(${ofNumbersOnly})\\(([^()]*)\\.(\\w+)\\)`, 'g');
  const other = expression.replaceAll(piped, '.to_number($1)$2').replaceAll(inner, '$1($2.to_number($3))');
  try {
    return other !== expression && compileExactly(other)(data) !== undefined ? other : undefined;
  } catch {
    return undefined;
  }
}

/** `NumberLiteral` is an object to the library, which hands it on as it is. */
function asJson(value: unknown): JSONValue {
  return value as JSONValue;
}

function assertExactLiterals(expression: string): void {
  for (const [, literal = ''] of expression.matchAll(/`([^`]*)`/g)) {
    let value: unknown;
    try {
      value = parseExactJson(literal);
    } catch {
      continue;
    }
    if (inexactNumbers(value).length > 0)
      throw new Error(`\`${literal}\` has an exponent or more digits than a number here can hold`);
  }
}

/** Replaces what the library computes with JavaScript numbers. */
function exact(interpreter: Interpreter): Interpreter {
  const { runtime } = interpreter;
  const visit = interpreter.visit.bind(interpreter);
  const withScope = interpreter.withScope.bind(interpreter);
  const call = runtime.callFunction.bind(runtime);
  interpreter.withScope = (scope) => exact(withScope(scope));
  interpreter.visit = (node, value) => {
    const at = (inner: Node): unknown => interpreter.visit(inner, value);
    switch (node.type) {
      case 'Field':
        return hasField(value, node.name) ? visit(node, value) : null;
      case 'Variable': {
        const found: unknown = visit(node, value);
        if (typeof found === 'function') throw new Error(`Error referencing undefined variable ${node.name}`);
        return asJson(found);
      }
      case 'ValueProjection': {
        const base = asJson(at(node.left));
        return isLiteral(base) ? null : visit({ ...node, left: { type: 'Literal', value: base } }, value);
      }
      case 'Arithmetic':
        return asJson(computed(node.operator, at(node.left), at(node.right)));
      case 'Unary': {
        const operand = at(node.operand);
        return asJson(node.operator === 'Minus' ? computed('Minus', 0, operand) : computed('Plus', 0, operand));
      }
      case 'Comparator':
        return compared(node.name, at(node.left), at(node.right));
      default:
        return visit(node, value);
    }
  };
  runtime.callFunction = (name, args) => {
    const keysOf = (list: readonly unknown[], key: unknown): readonly unknown[] =>
      list.map((entry) => interpreter.visit(key as Node, asJson(entry)));
    const found = ownFunction(name, args, keysOf);
    return found === undefined ? call(name, args.map(plain)) : asJson(found.value);
  };
  return interpreter;
}

/** A field of the data. The library also finds what every JavaScript object inherits, such as `toString`. */
function hasField(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && !isLiteral(value) && Object.hasOwn(value, name);
}

function isLiteral(value: unknown): boolean {
  return value instanceof NumberLiteral;
}

/** For a function that takes no number, or only a count: it refuses or takes it as its own. */
function plain<Value>(value: Value): Value | number {
  return value instanceof NumberLiteral ? Number(value) : value;
}

function computed(operator: string, left: unknown, right: unknown): JsonNumber {
  if (!isNumber(left) || !isNumber(right)) throw new Error('not-a-number');
  switch (operator) {
    case 'Plus':
      return addExactly(left, right);
    case 'Minus':
      return subtractExactly(left, right);
    case 'Multiply':
    case 'Star':
      return multiplyExactly(left, right);
    case 'Divide':
      return divideExactly(left, right);
    case 'Modulo':
      return remainderExactly(left, right);
    case 'Div':
      return divideToInteger(left, right);
    default:
      throw new Error(`unknown operator: ${operator}`);
  }
}

/** Only numbers have an order; anything may be equal. */
function compared(name: string, left: unknown, right: unknown): boolean | null {
  const areBoth = isNumber(left) && isNumber(right);
  if (name === 'EQ' || name === 'NE') return isEqual(left, right) === (name === 'EQ');
  if (!areBoth) return null;
  const order = compareExactly(left, right);
  switch (name) {
    case 'GT':
      return order > 0;
    case 'GTE':
      return order >= 0;
    case 'LT':
      return order < 0;
    default:
      return order <= 0;
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  if (isNumber(left) && isNumber(right)) return compareExactly(left, right) === 0;
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}

type KeysOf = (list: readonly unknown[], key: unknown) => readonly unknown[];

/** The result of a function where numbers take part; `undefined`: the library's own does. */
function ownFunction(name: string, args: readonly unknown[], keysOf: KeysOf): { readonly value: unknown } | undefined {
  const [first, second] = args;
  if (args.length === 1 && areNumbers(first) && first.length > 0) return ofNumbers(name, first);
  if (args.length === 1) return ofOne(name, first);
  if (args.length !== 2 || !Array.isArray(first)) return undefined;
  const list: readonly unknown[] = first;
  if (name === 'contains') return { value: list.some((entry) => isEqual(entry, second)) };
  if (!['sort_by', 'max_by', 'min_by'].includes(name) || list.length === 0) return undefined;
  const keys = keysOf(list, second);
  if (!areNumbers(keys)) return undefined;
  const order = sortedPlaces(keys);
  if (name === 'sort_by') return { value: order.map((place) => list[place]) };
  return { value: list[(name === 'max_by' ? firstLargest(keys) : order[0]) ?? 0] };
}

function ofNumbers(name: string, numbers: readonly JsonNumber[]): { readonly value: unknown } | undefined {
  const sum = (): JsonNumber => numbers.reduce(addExactly, 0);
  switch (name) {
    case 'sum':
      return { value: sum() };
    case 'avg':
      return { value: divideExactly(sum(), numbers.length) };
    case 'max':
      return { value: numbers[firstLargest(numbers)] };
    case 'min':
      return { value: numbers[sortedPlaces(numbers)[0] ?? 0] };
    case 'sort':
      return { value: numbers.toSorted(compareExactly) };
    default:
      return ofOne(name, numbers);
  }
}

function ofOne(name: string, value: unknown): { readonly value: unknown } | undefined {
  switch (name) {
    case 'to_string':
      return typeof value === 'string' ? undefined : { value: exactJson(value) };
    case 'to_number':
      return numberIn(value);
    case 'to_array':
    case 'not_null':
      return isNumber(value) ? { value: name === 'to_array' ? [value] : value } : undefined;
    case 'abs':
      return isNumber(value) ? { value: compareExactly(value, 0) < 0 ? subtractExactly(0, value) : value } : undefined;
    case 'floor':
      return isNumber(value) ? { value: divideToInteger(value, 1) } : undefined;
    case 'ceil':
      return isNumber(value) ? { value: subtractExactly(0, divideToInteger(subtractExactly(0, value), 1)) } : undefined;
    default:
      return undefined;
  }
}

/** The number in a text with all its digits; `undefined` for other text. */
function numberIn(value: unknown): { readonly value: JsonNumber } | undefined {
  if (isNumber(value)) return { value };
  if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return undefined;
  return String(Number(value)) === value ? { value: Number(value) } : { value: new NumberLiteral(value) };
}

function sortedPlaces(keys: readonly JsonNumber[]): readonly number[] {
  return [...keys.entries()].toSorted(([, one], [, other]) => compareExactly(one, other)).map(([place]) => place);
}

function firstLargest(keys: readonly JsonNumber[]): number {
  return keys.reduce<number>((best, key, place) => (compareExactly(key, keys[best] ?? key) > 0 ? place : best), 0);
}
