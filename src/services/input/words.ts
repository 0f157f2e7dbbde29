import { NumberLiteral, parseKeepingNumbers } from '../../domain/json-numbers.js';

/** Fields that name something: as a number they would lose their leading zeros. */
const identifiers =
  /^(?:id|cpf|cnpj|code|ncm|cest|cfop|gtin|ean|protocol|phone.*|.*(?:[tT]axNumber|Id|SerialNumber|Key)|(?!operation).*Code)$/;

/**
 * What a plain word of YAML, a cell of CSV or a `--set` stands for: a JSON number, `true`, `false` and `null` are what they
 * are in JSON, all else is text; so is every word under a name that identifies something (`federalTaxNumber`, `ncm`).
 */
export function wordValue(word: string, field: string): unknown {
  if (identifiers.test(field)) return word;
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null' || word === '~' || word === '') return null;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(word)) return word;
  return new NumberLiteral(word);
}

/** The same where a whole object, a list or a quoted text may stand as JSON. Throws `SyntaxError`. */
export function cellValue(cell: string, field: string): unknown {
  return /^[[{"]/.test(cell) ? parseKeepingNumbers(cell) : wordValue(cell, field);
}
