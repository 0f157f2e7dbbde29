import { FiscalError } from '../../errors/fiscal-error.js';
import { plainTitle } from '../../services/input/column-title.js';
import { parseFieldPath, type PathStep, placeAt } from '../../services/input/field-path.js';
import type { Cells, Reading } from '../../services/input/record.js';
import { clientFields } from './clients-fields.js';

/** Titles in Portuguese of some columns, in any letter case, with or without accents. */
const titles: readonly (readonly [title: string, path: string])[] = [
  ['razão social', 'name'],
  ['nome fantasia', 'tradeName'],
  ['regime tributário', 'taxRegime'],
  ['logradouro', 'address.street'],
  ['número', 'address.number'],
  ['complemento', 'address.additionalInformation'],
  ['bairro', 'address.district'],
  ['código IBGE', 'address.city.code'],
  ['município', 'address.city.name'],
  ['UF', 'address.state'],
  ['CEP', 'address.postalCode'],
  ['país', 'address.country'],
  ['UF da inscrição estadual', 'stateTaxes[0].code'],
  ['inscrição estadual', 'stateTaxes[0].taxNumber'],
  ['inscrição municipal', 'municipalTaxes[0].taxNumber'],
  ['certificado', 'certificate.file'],
  ['captura NFe', 'capture.nfe'],
  ['captura CTe', 'capture.cte'],
  ['captura NFSe', 'capture.nfse'],
  ['CNPJ', 'cnpj'],
];

/** A row is a client; a column is a path such as `address.city.code` or `stateTaxes[0].type`. Empty cells are left out. */
export function clientRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const paths = header.map((title) => pathOf(title.trim()));
  const unknown = header.filter((_, at) => !isKnown(paths[at]));
  if (unknown.length > 0)
    throw new FiscalError('input.unknown_column', { path: name, columns: unknown.slice(0, 10).join(', ') });
  if (!paths.some((path) => path?.[0] === 'cnpj'))
    throw new FiscalError('input.missing_column', { path: name, columns: 'cnpj' });
  // `capture.nfe` before the settings of that capture.
  const inOrder = [...paths.entries()].toSorted(([, one], [, other]) => (one?.length ?? 0) - (other?.length ?? 0));
  return (cells) => {
    let record: unknown = {};
    for (const [at, path = []] of inOrder) {
      const cell = (cells[at] ?? '').trim();
      if (cell === '') continue;
      const isCapture = path[0] === 'capture' && path.length === 2;
      const placed = placeAt(record, path, isCapture && isYes(cell) ? {} : cell);
      if ('problem' in placed) return placed;
      record = placed.value;
    }
    return { value: record };
  };
}

function isYes(cell: string): boolean {
  return /^(?:true|yes|sim|s|x|1)$/i.test(cell);
}

function pathOf(title: string): readonly PathStep[] | undefined {
  const plain = plainTitle(title);
  const known = titles.find(([each]) => plainTitle(each) === plain);
  return parseFieldPath(known?.[1] ?? title);
}

/** Names that people give to secrets are unknown columns like any other: the file takes none. */
function isKnown(path: readonly PathStep[] | undefined): boolean {
  let inner: unknown = clientFields;
  for (const step of path ?? ['']) {
    if (typeof step === 'number') inner = Array.isArray(inner) ? (inner as readonly unknown[])[0] : undefined;
    else inner = new Map<string, unknown>(Object.entries(inner ?? {})).get(step);
    if (inner === undefined) return false;
  }
  return true;
}
