import type { InboundFamily } from '../../contract/inbound.js';
import { columnOf, type TableColumn } from './table-column.js';
import { documentColumns } from './table-columns.js';

const code = columnOf('code');
const amount = columnOf('amount');

/** One row a tax of an item, or of a document whose layout has no taxes of items. */
export const taxColumns: readonly TableColumn[] = [
  ...documentColumns,
  amount('item', ['Number of the item; empty: of the document', 'Número do item; vazio: do documento'], {
    known: 'item',
  }),
  code('code', ['Code of the product or of the service', 'Código do produto ou do serviço'], {
    ...{ nfe: 'det/prod/cProd', nfse: 'DPS/infDPS/serv/cServ/cTribNac' },
  }),
  code('ncm', ['NCM', 'NCM'], { nfe: 'det/prod/NCM' }),
  code('cfop', ['CFOP', 'CFOP'], { nfe: 'det/prod/CFOP', cte: 'ide/CFOP' }),
  code('tax', ['The tax, as listed below', 'O tributo, como na lista abaixo'], { known: 'tax' }),
  code('situation', ['CST, CSOSN or tribISSQN', 'CST, CSOSN ou tribISSQN'], { known: 'situation' }),
  code('classification', ['cClassTrib', 'cClassTrib'], { known: 'classification' }),
  amount('base', ['Base of the calculation', 'Base de cálculo'], { known: 'base' }),
  amount('rate', ['Rate in percent', 'Alíquota em %'], { known: 'rate' }),
  amount('effectiveRate', ['Rate after a reduction', 'Alíquota efetiva, após redução'], {
    known: 'effectiveRate',
  }),
  amount('quantity', ['Quantity, where the tax counts units', 'Quantidade, quando o tributo é por unidade'], {
    known: 'quantity',
  }),
  amount('unitRate', ['Tax of a unit', 'Tributo por unidade'], { known: 'unitRate' }),
  amount('amount', ['Amount of the tax', 'Valor do tributo'], { known: 'amount' }),
];

/** What a row of the taxes has of a tax. */
export const taxFields = [
  ...(['situation', 'classification', 'base', 'rate', 'effectiveRate'] as const),
  ...(['quantity', 'unitRate', 'amount'] as const),
] as const;
type TaxField = (typeof taxFields)[number];

/** Where a type of document has a tax. The names stand below `at`; one that begins with `/` is a whole path. */
export interface Tax extends Partial<Readonly<Record<TaxField, string>>> {
  readonly tax: string;
  readonly at: string;
  /** A situation without figures is a row as well: exempt, not taxed. */
  readonly standsAlone?: true;
}

const ICMS = { at: 'det/imposto/ICMS/*', situation: 'CST|CSOSN' } as const;
const REFORM = { at: 'det/imposto/IBSCBS', situation: 'CST', classification: 'cClassTrib' } as const;
const CTE_ICMS = { at: 'imp/ICMS/*', situation: 'CST' } as const;
const CTE_REFORM = { at: 'imp/IBSCBS', situation: 'CST', classification: 'cClassTrib' } as const;
const FEDERAL = 'DPS/infDPS/valores/trib/tribFed';
const NFSE_REFORM = {
  at: 'IBSCBS',
  situation: '/DPS/infDPS/IBSCBS/valores/trib/gIBSCBS/CST',
  classification: '/DPS/infDPS/IBSCBS/valores/trib/gIBSCBS/cClassTrib',
  base: 'valores/vBC',
  standsAlone: true,
} as const;

/** IBS of the state, IBS of the city and CBS of NF-e and CT-e. */
function reform(of: typeof REFORM | typeof CTE_REFORM): readonly Tax[] {
  const part = (tax: string, group: string, name: string): Tax => ({
    ...{ tax, ...of, standsAlone: true, base: 'gIBSCBS/vBC', rate: `gIBSCBS/${group}/p${name}` },
    effectiveRate: `gIBSCBS/${group}/gRed/pAliqEfet`,
    amount: `gIBSCBS/${group}/v${name}`,
  });
  return [
    part('IBS-UF', 'gIBSUF', 'IBSUF'),
    part('IBS-MUN', 'gIBSMun', 'IBSMun'),
    part('CBS', 'gCBS', 'CBS'),
  ];
}

const nfe: readonly Tax[] = [
  { tax: 'ICMS', ...ICMS, standsAlone: true, base: 'vBC', rate: 'pICMS', amount: 'vICMS' },
  { tax: 'ICMS-DIF', ...ICMS, rate: 'pDif', amount: 'vICMSDif' },
  { tax: 'ICMS-DESON', ...ICMS, amount: 'vICMSDeson' },
  { tax: 'ICMS-SN', ...ICMS, rate: 'pCredSN', amount: 'vCredICMSSN' },
  { tax: 'ICMS-ST', ...ICMS, base: 'vBCST', rate: 'pICMSST', amount: 'vICMSST' },
  { tax: 'ICMS-ST-RET', ...ICMS, base: 'vBCSTRet', rate: 'pST', amount: 'vICMSSTRet' },
  { tax: 'ICMS-ST-DEST', ...ICMS, base: 'vBCSTDest', amount: 'vICMSSTDest' },
  { tax: 'ICMS-EFET', ...ICMS, base: 'vBCEfet', rate: 'pICMSEfet', amount: 'vICMSEfet' },
  { tax: 'ICMS-MONO', ...ICMS, quantity: 'qBCMono', unitRate: 'adRemICMS', amount: 'vICMSMono' },
  {
    tax: 'ICMS-MONO-RETEN',
    ...ICMS,
    quantity: 'qBCMonoReten',
    unitRate: 'adRemICMSReten',
    amount: 'vICMSMonoReten',
  },
  { tax: 'ICMS-MONO-RET', ...ICMS, quantity: 'qBCMonoRet', unitRate: 'adRemICMSRet', amount: 'vICMSMonoRet' },
  { tax: 'FCP', ...ICMS, base: 'vBCFCP', rate: 'pFCP', amount: 'vFCP' },
  { tax: 'FCP-ST', ...ICMS, base: 'vBCFCPST', rate: 'pFCPST', amount: 'vFCPST' },
  { tax: 'FCP-ST-RET', ...ICMS, base: 'vBCFCPSTRet', rate: 'pFCPSTRet', amount: 'vFCPSTRet' },
  {
    tax: 'ICMS-UF-DEST',
    at: 'det/imposto/ICMSUFDest',
    base: 'vBCUFDest',
    rate: 'pICMSUFDest',
    amount: 'vICMSUFDest',
  },
  { tax: 'ICMS-UF-REMET', at: 'det/imposto/ICMSUFDest', rate: 'pICMSInter', amount: 'vICMSUFRemet' },
  {
    tax: 'FCP-UF-DEST',
    at: 'det/imposto/ICMSUFDest',
    base: 'vBCFCPUFDest',
    rate: 'pFCPUFDest',
    amount: 'vFCPUFDest',
  },
  {
    ...{
      tax: 'IPI',
      at: 'det/imposto/IPI/*',
      situation: 'CST',
      standsAlone: true,
      base: 'vBC',
      rate: 'pIPI',
    },
    ...{ quantity: 'qUnid', unitRate: 'vUnid', amount: 'vIPI' },
  },
  { tax: 'IPI-DEVOL', at: 'det/impostoDevol', amount: 'IPI/vIPIDevol' },
  { tax: 'II', at: 'det/imposto/II', base: 'vBC', amount: 'vII' },
  { tax: 'IOF', at: 'det/imposto/II', amount: 'vIOF' },
  contribution('PIS', 'det/imposto/PIS/*'),
  contribution('PIS-ST', 'det/imposto/PISST', 'PIS'),
  contribution('COFINS', 'det/imposto/COFINS/*'),
  contribution('COFINS-ST', 'det/imposto/COFINSST', 'COFINS'),
  { tax: 'ISSQN', at: 'det/imposto/ISSQN', base: 'vBC', rate: 'vAliq', amount: 'vISSQN' },
  { tax: 'ISSQN-RET', at: 'det/imposto/ISSQN', amount: 'vISSRet' },
  {
    ...{
      tax: 'IS',
      at: 'det/imposto/IS',
      situation: 'CSTIS',
      classification: 'cClassTribIS',
      standsAlone: true,
    },
    ...{ base: 'vBCIS', rate: 'pIS', quantity: 'qTrib', unitRate: 'pISEspec', amount: 'vIS' },
  },
  ...reform(REFORM),
  { tax: 'IBS-MONO', ...REFORM, amount: 'gIBSCBSMono/vTotIBSMonoItem' },
  { tax: 'CBS-MONO', ...REFORM, amount: 'gIBSCBSMono/vTotCBSMonoItem' },
  { tax: 'PIS-RET', at: 'total/retTrib', amount: 'vRetPIS' },
  { tax: 'COFINS-RET', at: 'total/retTrib', amount: 'vRetCOFINS' },
  { tax: 'CSLL-RET', at: 'total/retTrib', amount: 'vRetCSLL' },
  { tax: 'IRRF-RET', at: 'total/retTrib', base: 'vBCIRRF', amount: 'vIRRF' },
  { tax: 'CP-RET', at: 'total/retTrib', base: 'vBCRetPrev', amount: 'vRetPrev' },
];

function contribution(tax: string, at: string, name = tax): Tax {
  return {
    ...{ tax, at, situation: 'CST', standsAlone: true, base: 'vBC', rate: `p${name}` },
    ...{ quantity: 'qBCProd', unitRate: 'vAliqProd', amount: `v${name}` },
  };
}

const cte: readonly Tax[] = [
  {
    ...{ tax: 'ICMS', ...CTE_ICMS, standsAlone: true, base: 'vBC|vBCOutraUF' },
    ...{ rate: 'pICMS|pICMSOutraUF', amount: 'vICMS|vICMSOutraUF' },
  },
  { tax: 'ICMS-ST-RET', ...CTE_ICMS, base: 'vBCSTRet', rate: 'pICMSSTRet', amount: 'vICMSSTRet' },
  { tax: 'ICMS-DESON', ...CTE_ICMS, amount: 'vICMSDeson' },
  { tax: 'ICMS-UF-DEST', at: 'imp/ICMSUFFim', base: 'vBCUFFim', rate: 'pICMSUFFim', amount: 'vICMSUFFim' },
  { tax: 'ICMS-UF-REMET', at: 'imp/ICMSUFFim', rate: 'pICMSInter', amount: 'vICMSUFIni' },
  { tax: 'FCP-UF-DEST', at: 'imp/ICMSUFFim', rate: 'pFCPUFFim', amount: 'vFCPUFFim' },
  ...reform(CTE_REFORM),
];

const nfse: readonly Tax[] = [
  {
    ...{
      tax: 'ISSQN',
      at: 'valores',
      situation: '/DPS/infDPS/valores/trib/tribMun/tribISSQN',
      standsAlone: true,
    },
    ...{ base: 'vBC', rate: 'pAliqAplic', amount: 'vISSQN' },
  },
  {
    ...{ tax: 'PIS', at: `${FEDERAL}/piscofins`, situation: 'CST', standsAlone: true },
    ...{ base: 'vBCPisCofins', rate: 'pAliqPis', amount: 'vPis' },
  },
  {
    ...{ tax: 'COFINS', at: `${FEDERAL}/piscofins`, situation: 'CST', standsAlone: true },
    ...{ base: 'vBCPisCofins', rate: 'pAliqCofins', amount: 'vCofins' },
  },
  { tax: 'CP-RET', at: FEDERAL, amount: 'vRetCP' },
  { tax: 'IRRF-RET', at: FEDERAL, amount: 'vRetIRRF' },
  { tax: 'CSLL-RET', at: FEDERAL, amount: 'vRetCSLL' },
  {
    ...{ tax: 'IBS-UF', ...NFSE_REFORM, rate: 'valores/uf/pIBSUF', effectiveRate: 'valores/uf/pAliqEfetUF' },
    amount: 'totCIBS/gIBS/gIBSUFTot/vIBSUF',
  },
  {
    ...{ tax: 'IBS-MUN', ...NFSE_REFORM, rate: 'valores/mun/pIBSMun' },
    ...{ effectiveRate: 'valores/mun/pAliqEfetMun', amount: 'totCIBS/gIBS/gIBSMunTot/vIBSMun' },
  },
  {
    ...{ tax: 'CBS', ...NFSE_REFORM, rate: 'valores/fed/pCBS', effectiveRate: 'valores/fed/pAliqEfetCBS' },
    amount: 'totCIBS/gCBS/vCBS',
  },
];

export const taxes: Readonly<Record<InboundFamily, readonly Tax[]>> = { nfe, cte, nfse };

/** The paths of a field of a tax, the first one present counts. */
export function pathsOfTax(tax: Tax, field: TaxField): readonly string[] {
  const names = tax[field]?.split('|') ?? [];
  return names.map((name) => (name.startsWith('/') ? name.slice('/'.length) : `${tax.at}/${name}`));
}
