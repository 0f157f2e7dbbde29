import { expect, test } from 'vitest';
import { TableRows } from '../../../src/commands/export/table-rows.js';
import type { TableName } from '../../../src/commands/export/tables.js';
import type { InboundFamily } from '../../../src/contract/inbound.js';
import { amountPaths, earlierKeyPaths, keyPaths } from './schema-paths.js';

const families = ['nfe', 'cte', 'nfse'] as const;
const roots = {
  nfe: ['<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe>', '</infNFe></NFe>'],
  cte: ['<CTe xmlns="http://www.portalfiscal.inf.br/cte"><infCte>', '</infCte></CTe>'],
  nfse: ['<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe>', '</infNFSe></NFSe>'],
} as const;

interface Tree {
  readonly inside: Map<string, Tree>;
  text: string;
}

/** A document that has these elements with these texts. */
function documentOf(family: InboundFamily, texts: ReadonlyMap<string, string>): string {
  const tree: Tree = { inside: new Map(), text: '' };
  for (const [path, text] of texts) {
    let at = tree;
    for (const name of path.split('/')) {
      const next = at.inside.get(name) ?? { inside: new Map(), text: '' };
      at.inside.set(name, next);
      at = next;
    }
    at.text = text;
  }
  const [start, end] = roots[family];
  return `${start}${xmlOf(tree)}${end}`;
}

function xmlOf({ inside, text }: Tree): string {
  return [...inside].map(([name, tree]) => `<${name}>${xmlOf(tree)}</${name}>`).join('') + text;
}

function tableOf(name: TableName, family: InboundFamily, texts: ReadonlyMap<string, string>) {
  const table = new TableRows(name);
  const read = table.read(Buffer.from(documentOf(family, texts)));
  const rows = [...table.of(family, read, {})].map((row) =>
    Object.fromEntries(table.columns.map((column, index) => [column.name, row[index] ?? ''])),
  );
  return { rows, remarks: table.remarks(family, read, {}) };
}

const KEY = '35261030057049000141550010000000011000000010';

test.each(families)('every element of the schemas of %s that is a key has its row, once', (family) => {
  const paths = [...keyPaths[family], ...(family === 'cte' ? earlierKeyPaths : [])];
  const found = paths.map((path) => {
    const { rows } = tableOf('references', family, new Map([[path, KEY]]));
    return rows.map(({ relation, referencedKey }) => [relation, referencedKey]);
  });
  expect(found).toEqual(paths.map((path) => [[path.split('/').slice(-2).join('/'), KEY]]));
});

/** Groups of which an item or a document has one. */
const choices = ['det/imposto/ICMS/', 'det/imposto/PIS/', 'det/imposto/COFINS/', 'imp/ICMS/'];

/** As few documents as hold every path, each with one group of a choice. */
function documentsOf(family: InboundFamily): readonly ReadonlyMap<string, string>[] {
  const documents: Map<string, string>[] = [];
  for (const [index, path] of amountPaths[family].entries()) {
    const choice = choices.find((each) => path.startsWith(each));
    const group = choice === undefined ? 'x' : path.slice(choice.length).split('/')[0];
    const fits = (document: ReadonlyMap<string, string>): boolean =>
      choice === undefined
        ? !isOtherwiseTold(path, document)
        : [...document.keys()].every(
            (other) => !other.startsWith(choice) || other.slice(choice.length).startsWith(`${group}/`),
          );
    const document = documents.find(fits);
    const text = `${1000 + index}.07`;
    if (document === undefined) documents.push(new Map([[path, text]]));
    else document.set(path, text);
  }
  return documents;
}

/** Where an amount stands in two places, the first one counts: what the note computes, or the place of the newer schema. */
const places: readonly (readonly [string, string])[] = [
  ['valores/vCalcDR', 'DPS/infDPS/valores/vDedRed/vDR'],
  ['valores/vCalcBM', 'DPS/infDPS/valores/trib/tribMun/BM/vRedBCBM'],
  ...['IBS', 'CBS'].flatMap((name) =>
    ['vCredPres', 'vCredPresCondSus'].map(
      (amount) =>
        [
          `det/imposto/IBSCBS/gCredPresOper/g${name}CredPres/${amount}`,
          `det/imposto/IBSCBS/gIBSCBS/g${name}CredPres/${amount}`,
        ] as const,
    ),
  ),
];

function isOtherwiseTold(path: string, document: ReadonlyMap<string, string>): boolean {
  return places.some(
    ([first, second]) => (path === first && document.has(second)) || (path === second && document.has(first)),
  );
}

/** Estimates, values of the whole note, and sums of rows that stand beside them. */
const withoutRow = [
  ...['det/imposto/vTotTrib', 'imp/vTotTrib', 'imp/vTotDFe', 'valores/vTotalRet', 'valores/vLiq'],
  ...['DPS/infDPS/valores/vServPrest/vReceb', 'DPS/infDPS/valores/vServPrest/vServ'],
  ...['Est', 'Fed', 'Mun'].map((name) => `DPS/infDPS/valores/trib/totTrib/vTotTrib/vTotTrib${name}`),
  ...['IBSCBS/totCIBS/vTotNF', 'IBSCBS/totCIBS/gIBS/vIBSTot', 'imp/IBSCBS/gIBSCBS/vIBS'],
  ...['gIBSCBS/vIBS', 'gIBSCBSMono/vTotIBSMonoItem', 'gIBSCBSMono/vTotCBSMonoItem'].map(
    (name) => `det/imposto/IBSCBS/${name}`,
  ),
  // In the table of references.
  ...['vDeducaoReducao', 'vDedutivelRedutivel'].map(
    (name) => `DPS/infDPS/valores/vDedRed/documentos/docDedRed/${name}`,
  ),
];

test.each(families)('every amount in the groups of taxes of %s stands in one row, or is a base', (family) => {
  const counts = new Map<string, string>();
  for (const document of documentsOf(family)) {
    const { rows, remarks } = tableOf('taxes', family, document);
    expect(remarks.leftOut).toEqual([]);
    for (const [path, text] of document) {
      const inColumn = (name: string): number => rows.filter((row) => row[name] === text).length;
      const bases = ['base', 'rate', 'unitRate'].some((name) => inColumn(name) > 0);
      counts.set(path, bases ? 'base' : String(inColumn('amount')));
    }
  }
  const right = amountPaths[family].map((path) => [path, placeOf(path)]);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(right));
});

function placeOf(path: string): string {
  if (withoutRow.includes(path)) return '0';
  return /\/v(?:BC\w*|AliqProd|Aliq|Unid)$/.test(path) ? 'base' : '1';
}

test.each([
  ['nfe', 'det/imposto/IBSCBS/gIBSCBS/vIBS', 'IBS'],
  ['nfe', 'det/imposto/IBSCBS/gIBSCBSMono/vTotIBSMonoItem', 'IBS-MONO-TOT'],
  ['cte', 'imp/IBSCBS/gIBSCBS/vIBS', 'IBS'],
  ['nfse', 'IBSCBS/totCIBS/gIBS/vIBSTot', 'IBS'],
] as const)('a sum of %s without its parts has a row: %s', (family, path, tax) => {
  const { rows } = tableOf('taxes', family, new Map([[path, '7.00']]));
  expect(rows.map((row) => [row['tax'], row['element'], row['amount']])).toEqual([
    [tax, path.split('/').at(-1), '7.00'],
  ]);
});

test.each([
  ['nfe', 'det/imposto/IBSCBS/gNovo/vNovo'],
  ['cte', 'imp/infTribFed/vNovo'],
  ['nfse', 'DPS/infDPS/valores/trib/tribFed/vRetNovo'],
] as const)('an amount of %s that no row has is named: %s', (family, path) => {
  const { rows, remarks } = tableOf('taxes', family, new Map([[path, '7.00']]));
  expect([rows, remarks.leftOut]).toEqual([[], [path]]);
});
