import type { OtherFields } from '../../archive/xml-fields.js';
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
  code('element', ['The element that has its amount', 'O elemento que tem o valor'], { known: 'element' }),
  code(
    'situation',
    ['CST, CSOSN or tribISSQN; of vRetCSLL: tpRetPisCofins', 'CST, CSOSN ou tribISSQN; de vRetCSLL: tpRetPisCofins'],
    { known: 'situation' },
  ),
  code('classification', ['cClassTrib or cCredPres', 'cClassTrib ou cCredPres'], { known: 'classification' }),
  code('period', ['Period that the tax is assessed in (competApur)', 'Período de apuração (competApur)'], {
    known: 'period',
  }),
  amount('base', ['Base of the calculation', 'Base de cálculo'], { known: 'base' }),
  amount('rate', ['Rate in percent', 'Alíquota em %'], { known: 'rate' }),
  amount('effectiveRate', ['Rate after a reduction', 'Alíquota efetiva, após redução'], { known: 'effectiveRate' }),
  amount('quantity', ['Quantity, where the tax counts units', 'Quantidade, quando o tributo é por unidade'], {
    known: 'quantity',
  }),
  amount('unitRate', ['Tax of a unit', 'Tributo por unidade'], { known: 'unitRate' }),
  amount('amount', ['Amount of the tax, or of what the tax name says', 'Valor do tributo, ou do que o nome informa'], {
    known: 'amount',
  }),
];

/** What a row of the taxes has of a tax. */
export const taxFields = [
  ...(['situation', 'classification', 'period', 'base', 'rate', 'effectiveRate'] as const),
  ...(['quantity', 'unitRate', 'amount'] as const),
] as const;
type TaxField = (typeof taxFields)[number];

/** Where a type of document has a tax. The names stand below `at`; one that begins with `/` is a whole path. */
export interface Tax extends Partial<Readonly<Record<TaxField, string>>> {
  readonly tax: string;
  readonly at: string;
  /** A situation, or a rate, without an amount is a row as well: exempt, not taxed. */
  readonly standsAlone?: true;
  /** A sum of other rows: a row only where none of these, below `at`, is present. */
  readonly unless?: string;
}

const ICMS = { at: 'det/imposto/ICMS/*', situation: 'CST|CSOSN' } as const;
const CTE_ICMS = { at: 'imp/ICMS/*', situation: 'CST' } as const;
const ISSQN = { at: 'det/imposto/ISSQN' } as const;
const FEDERAL = 'DPS/infDPS/valores/trib/tribFed';
const VALUES = 'DPS/infDPS/valores';

/** The same groups of IBS and CBS in NF-e and CT-e. */
function reform(at: string): readonly Tax[] {
  const of = { at, situation: 'CST', classification: 'cClassTrib' } as const;
  const part = (tax: string, group: string, name: string): readonly Tax[] => {
    const inside = `gIBSCBS/${group}`;
    return [
      {
        ...{ tax, ...of, standsAlone: true, base: 'gIBSCBS/vBC', rate: `${inside}/p${name}` },
        ...{ effectiveRate: `${inside}/gRed/pAliqEfet`, amount: `${inside}/v${name}` },
      },
      { tax: `${tax}-DIF`, ...of, rate: `${inside}/gDif/pDif`, amount: `${inside}/gDif/vDif` },
      { ...{ tax: `${tax}-DEV`, ...of, rate: `${inside}/gDevTrib/pDevTrib` }, amount: `${inside}/gDevTrib/vDevTrib` },
      {
        ...{ tax: `${tax}-REGULAR`, at, situation: 'gIBSCBS/gTribRegular/CSTReg' },
        ...{ classification: 'gIBSCBS/gTribRegular/cClassTribReg' },
        effectiveRate: `gIBSCBS/gTribRegular/pAliqEfetReg${name}`,
        amount: `gIBSCBS/gTribRegular/vTribReg${name}`,
      },
      {
        ...{ tax: `${tax}-COMPRA-GOV`, ...of, rate: `gIBSCBS/gTribCompraGov/pAliq${name}` },
        amount: `gIBSCBS/gTribCompraGov/vTrib${name}`,
      },
    ];
  };
  const ofBoth = (make: (name: 'IBS' | 'CBS') => readonly Tax[]) => (['IBS', 'CBS'] as const).flatMap(make);
  return [
    ...part('IBS-UF', 'gIBSUF', 'IBSUF'),
    ...part('IBS-MUN', 'gIBSMun', 'IBSMun'),
    { tax: 'IBS', ...of, amount: 'gIBSCBS/vIBS', unless: 'gIBSCBS/gIBSUF/vIBSUF|gIBSCBS/gIBSMun/vIBSMun' },
    ...part('CBS', 'gCBS', 'CBS'),
    {
      ...{ tax: 'CBS-ALC-ZFM', ...of, effectiveRate: 'gIBSCBS/gCBS/gALCZFMCBS/pAliqEfetRegCBS' },
      amount: 'gIBSCBS/gCBS/gALCZFMCBS/vTribRegCBS',
    },
    ...ofBoth((name) => monoPhase(name, of)),
    ...ofBoth((name) => [
      { tax: `${name}-TRANSF-CRED`, ...of, amount: `gTransfCred/v${name}` },
      {
        ...{ tax: `${name}-AJUSTE-COMPET`, ...of, period: 'gAjusteCompet/competApur' },
        amount: `gAjusteCompet/v${name}`,
      },
      { tax: `${name}-ESTORNO-CRED`, ...of, amount: `gEstornoCred/v${name}EstCred` },
      ...presumedCredit(name, at),
    ]),
    {
      ...{ tax: 'IBS-CRED-PRES-ZFM', at, situation: 'CST', period: 'gCredPresIBSZFM/competApur' },
      ...{ classification: 'gCredPresIBSZFM/tpCredPresIBSZFM', amount: 'gCredPresIBSZFM/vCredPresIBSZFM' },
    },
  ];
}

function monoPhase(name: string, of: Pick<Tax, 'at' | 'situation' | 'classification'>): readonly Tax[] {
  const inside = 'gIBSCBSMono';
  const part = (tax: string, group: string, end: string): Tax => ({
    ...{ tax: `${name}-MONO${tax}`, ...of, quantity: `${inside}/${group}/qBCMono${end}` },
    ...{ unitRate: `${inside}/${group}/adRem${name}${end}`, amount: `${inside}/${group}/v${name}Mono${end}` },
  });
  const parts = [
    ...[part('', 'gMonoPadrao', ''), part('-RETEN', 'gMonoReten', 'Reten'), part('-RET', 'gMonoRet', 'Ret')],
    {
      ...{ tax: `${name}-MONO-DIF`, ...of, rate: `${inside}/gMonoDif/pDif${name}` },
      amount: `${inside}/gMonoDif/v${name}MonoDif`,
    },
  ];
  return [
    ...parts,
    {
      ...{ tax: `${name}-MONO-TOT`, ...of, amount: `${inside}/vTot${name}MonoItem` },
      unless: parts.map((each) => each.amount ?? '').join('|'),
    },
  ];
}

/** The second of two places is that of the schemas of 2025. */
function presumedCredit(name: string, at: string): readonly Tax[] {
  const [now, before] = [`gCredPresOper/g${name}CredPres`, `gIBSCBS/g${name}CredPres`];
  const either = (field: string): string => `${now}/${field}|${before}/${field}`;
  const of = { at, situation: 'CST', classification: `gCredPresOper/cCredPres|${before}/cCredPres` } as const;
  const figures = { base: 'gCredPresOper/vBCCredPres', rate: either('pCredPres') };
  return [
    { tax: `${name}-CRED-PRES`, ...of, ...figures, amount: either('vCredPres') },
    { tax: `${name}-CRED-PRES-SUSP`, ...of, amount: either('vCredPresCondSus') },
  ];
}

const nfe: readonly Tax[] = [
  { tax: 'ICMS', ...ICMS, standsAlone: true, base: 'vBC', rate: 'pICMS', amount: 'vICMS' },
  { tax: 'ICMS-OP', ...ICMS, amount: 'vICMSOp' },
  { tax: 'ICMS-DIF', ...ICMS, rate: 'pDif', amount: 'vICMSDif' },
  { tax: 'ICMS-DESON', ...ICMS, amount: 'vICMSDeson' },
  { tax: 'ICMS-ST-DESON', ...ICMS, amount: 'vICMSSTDeson' },
  { tax: 'ICMS-SN', ...ICMS, rate: 'pCredSN', amount: 'vCredICMSSN' },
  { tax: 'ICMS-ST', ...ICMS, base: 'vBCST', rate: 'pICMSST', amount: 'vICMSST' },
  { tax: 'ICMS-ST-RET', ...ICMS, base: 'vBCSTRet', rate: 'pST', amount: 'vICMSSTRet' },
  { tax: 'ICMS-SUBSTITUTO', ...ICMS, amount: 'vICMSSubstituto' },
  { tax: 'ICMS-ST-DEST', ...ICMS, base: 'vBCSTDest', amount: 'vICMSSTDest' },
  { tax: 'ICMS-EFET', ...ICMS, base: 'vBCEfet', rate: 'pICMSEfet', amount: 'vICMSEfet' },
  { tax: 'ICMS-MONO-OP', ...ICMS, amount: 'vICMSMonoOp' },
  {
    ...{ tax: 'ICMS-MONO-DIF', ...ICMS, rate: 'pDif', quantity: 'qBCMonoDif' },
    ...{ unitRate: 'adRemICMSDif', amount: 'vICMSMonoDif' },
  },
  { tax: 'ICMS-MONO', ...ICMS, quantity: 'qBCMono', unitRate: 'adRemICMS', amount: 'vICMSMono' },
  { tax: 'ICMS-MONO-RETEN', ...ICMS, quantity: 'qBCMonoReten', unitRate: 'adRemICMSReten', amount: 'vICMSMonoReten' },
  { tax: 'ICMS-MONO-RET', ...ICMS, quantity: 'qBCMonoRet', unitRate: 'adRemICMSRet', amount: 'vICMSMonoRet' },
  { tax: 'FCP', ...ICMS, base: 'vBCFCP', rate: 'pFCP', amount: 'vFCP' },
  { tax: 'FCP-DIF', ...ICMS, rate: 'pFCPDif', amount: 'vFCPDif' },
  { tax: 'FCP-EFET', ...ICMS, amount: 'vFCPEfet' },
  { tax: 'FCP-ST', ...ICMS, base: 'vBCFCPST', rate: 'pFCPST', amount: 'vFCPST' },
  { tax: 'FCP-ST-RET', ...ICMS, base: 'vBCFCPSTRet', rate: 'pFCPSTRet', amount: 'vFCPSTRet' },
  { tax: 'ICMS-UF-DEST', at: 'det/imposto/ICMSUFDest', base: 'vBCUFDest', rate: 'pICMSUFDest', amount: 'vICMSUFDest' },
  { tax: 'ICMS-UF-REMET', at: 'det/imposto/ICMSUFDest', rate: 'pICMSInter', amount: 'vICMSUFRemet' },
  { tax: 'FCP-UF-DEST', at: 'det/imposto/ICMSUFDest', base: 'vBCFCPUFDest', rate: 'pFCPUFDest', amount: 'vFCPUFDest' },
  {
    ...{ tax: 'IPI', at: 'det/imposto/IPI/*', situation: 'CST', standsAlone: true, base: 'vBC', rate: 'pIPI' },
    ...{ quantity: 'qUnid', unitRate: 'vUnid', amount: 'vIPI' },
  },
  { tax: 'IPI-DEVOL', at: 'det/impostoDevol', rate: 'pDevol', amount: 'IPI/vIPIDevol' },
  { tax: 'II', at: 'det/imposto/II', base: 'vBC', amount: 'vII' },
  { tax: 'II-DESP-ADU', at: 'det/imposto/II', amount: 'vDespAdu' },
  { tax: 'IOF', at: 'det/imposto/II', amount: 'vIOF' },
  contribution('PIS', 'det/imposto/PIS/*'),
  contribution('PIS-ST', 'det/imposto/PISST', 'PIS'),
  contribution('COFINS', 'det/imposto/COFINS/*'),
  contribution('COFINS-ST', 'det/imposto/COFINSST', 'COFINS'),
  { tax: 'ISSQN', ...ISSQN, base: 'vBC', rate: 'vAliq', amount: 'vISSQN' },
  { tax: 'ISSQN-RET', ...ISSQN, amount: 'vISSRet' },
  { tax: 'DEDUCAO', ...ISSQN, amount: 'vDeducao' },
  { tax: 'DESC-INCOND', ...ISSQN, amount: 'vDescIncond' },
  { tax: 'DESC-COND', ...ISSQN, amount: 'vDescCond' },
  { tax: 'ISSQN-OUTRO', ...ISSQN, amount: 'vOutro' },
  {
    ...{ tax: 'IS', at: 'det/imposto/IS', situation: 'CSTIS', classification: 'cClassTribIS', standsAlone: true },
    ...{ base: 'vBCIS', rate: 'pIS', quantity: 'qTrib', unitRate: 'pISEspec', amount: 'vIS' },
  },
  ...reform('det/imposto/IBSCBS'),
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
  { tax: 'ICMS-CRED', ...CTE_ICMS, amount: 'vCred' },
  { tax: 'ICMS-DESON', ...CTE_ICMS, amount: 'vICMSDeson' },
  { tax: 'ICMS-UF-DEST', at: 'imp/ICMSUFFim', base: 'vBCUFFim', rate: 'pICMSUFFim', amount: 'vICMSUFFim' },
  { tax: 'ICMS-UF-REMET', at: 'imp/ICMSUFFim', rate: 'pICMSInter', amount: 'vICMSUFIni' },
  { tax: 'FCP-UF-DEST', at: 'imp/ICMSUFFim', rate: 'pFCPUFFim', amount: 'vFCPUFFim' },
  { tax: 'PIS', at: 'imp/infTribFed', amount: 'vPIS' },
  { tax: 'COFINS', at: 'imp/infTribFed', amount: 'vCOFINS' },
  { tax: 'IR', at: 'imp/infTribFed', amount: 'vIR' },
  { tax: 'INSS', at: 'imp/infTribFed', amount: 'vINSS' },
  { tax: 'CSLL', at: 'imp/infTribFed', amount: 'vCSLL' },
  ...reform('imp/IBSCBS'),
];

/** IBS and CBS of an NFS-e: what the service declares in its DPS, and what the note adds up. */
function nfseReform(): readonly Tax[] {
  const SITUATION = '/DPS/infDPS/IBSCBS/valores/trib/gIBSCBS';
  const at = 'IBSCBS';
  const of = { at, situation: `${SITUATION}/CST`, classification: `${SITUATION}/cClassTrib` } as const;
  const part = (tax: string, names: { values: string; total: string; name: string; end: string }): readonly Tax[] => {
    const { values, total, name, end } = names;
    return [
      {
        ...{ tax, ...of, standsAlone: true, base: 'valores/vBC', rate: `valores/${values}/p${name}` },
        ...{ effectiveRate: `valores/${values}/pAliqEfet${end}`, amount: `totCIBS/${total}/v${name}` },
      },
      { tax: `${tax}-DIF`, ...of, rate: `${SITUATION}/gDif/pDif${end}`, amount: `totCIBS/${total}/vDif${end}` },
      {
        ...{ tax: `${tax}-REGULAR`, at, situation: `${SITUATION}/gTribRegular/CSTReg` },
        ...{ classification: `${SITUATION}/gTribRegular/cClassTribReg` },
        effectiveRate: `totCIBS/gTribRegular/pAliqEfeReg${name}`,
        amount: `totCIBS/gTribRegular/vTribReg${name}`,
      },
      {
        ...{ tax: `${tax}-COMPRA-GOV`, ...of, rate: `totCIBS/gTribCompraGov/p${name}` },
        amount: `totCIBS/gTribCompraGov/v${name}`,
      },
    ];
  };
  const credit = (name: 'IBS' | 'CBS'): Tax => ({
    ...{ tax: `${name}-CRED-PRES`, at, situation: `${SITUATION}/CST` },
    ...{ classification: `${SITUATION}/cCredPres`, rate: `totCIBS/g${name}/g${name}CredPres/pCredPres${name}` },
    amount: `totCIBS/g${name}/g${name}CredPres/vCredPres${name}`,
  });
  const totals = { uf: 'totCIBS/gIBS/gIBSUFTot/vIBSUF', mun: 'totCIBS/gIBS/gIBSMunTot/vIBSMun' };
  return [
    ...part('IBS-UF', { values: 'uf', total: 'gIBS/gIBSUFTot', name: 'IBSUF', end: 'UF' }),
    ...part('IBS-MUN', { values: 'mun', total: 'gIBS/gIBSMunTot', name: 'IBSMun', end: 'Mun' }),
    { tax: 'IBS', ...of, amount: 'totCIBS/gIBS/vIBSTot', unless: `${totals.uf}|${totals.mun}` },
    ...part('CBS', { values: 'fed', total: 'gCBS', name: 'CBS', end: 'CBS' }),
    ...[credit('IBS'), credit('CBS')],
    { tax: 'REE-REP-RES', at, amount: 'valores/vCalcReeRepRes' },
  ];
}

const nfse: readonly Tax[] = [
  {
    ...{ tax: 'ISSQN', at: 'valores', situation: `/${VALUES}/trib/tribMun/tribISSQN`, standsAlone: true },
    ...{ base: 'vBC', rate: `pAliqAplic|/${VALUES}/trib/tribMun/pAliq`, amount: 'vISSQN' },
  },
  { ...{ tax: 'DEDUCAO', at: VALUES, standsAlone: true, rate: 'vDedRed/pDR' }, amount: '/valores/vCalcDR|vDedRed/vDR' },
  { ...{ tax: 'BENEFICIO', at: `${VALUES}/trib/tribMun/BM`, rate: 'pRedBCBM' }, amount: '/valores/vCalcBM|vRedBCBM' },
  { tax: 'DESC-INCOND', at: `${VALUES}/vDescCondIncond`, amount: 'vDescIncond' },
  { tax: 'DESC-COND', at: `${VALUES}/vDescCondIncond`, amount: 'vDescCond' },
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
  { tax: 'CSLL-RET', at: FEDERAL, situation: 'piscofins/tpRetPisCofins', amount: 'vRetCSLL' },
  ...nfseReform(),
];

export const taxes: Readonly<Record<InboundFamily, readonly Tax[]>> = { nfe, cte, nfse };

/** The paths of a field of a tax, the first one present counts; `unless`: of the rows that it adds up. */
export function pathsOfTax(tax: Tax, field: TaxField | 'unless'): readonly string[] {
  const names = tax[field]?.split('|') ?? [];
  return names.map((name) => (name.startsWith('/') ? name.slice('/'.length) : `${tax.at}/${name}`));
}

/** Amounts of the groups of taxes that are no tax, or add up others: an estimate for the consumer, the value of the note. */
const amountsWithoutRow = new Set([
  ...['det/imposto/vTotTrib', 'imp/vTotTrib', 'imp/vTotDFe', 'valores/vTotalRet', 'valores/vLiq'],
  ...[`${VALUES}/vServPrest/vServ`, `${VALUES}/vServPrest/vReceb`, 'IBSCBS/totCIBS/vTotNF'],
]);
const partsWithoutRow = [
  `${VALUES}/trib/totTrib/`,
  // The documents of the table of references.
  ...[`${VALUES}/vDedRed/documentos/`, 'DPS/infDPS/IBSCBS/valores/gReeRepRes/'],
];
const partsOfTaxes: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: ['det/imposto/', 'det/impostoDevol/', 'total/retTrib/'],
  cte: ['imp/'],
  nfse: ['valores/', 'IBSCBS/', `${VALUES}/`, 'DPS/infDPS/IBSCBS/valores/'],
};

/** Amounts of the groups of taxes that no row has, so that the table can name them. */
export function otherAmounts(family: InboundFamily): OtherFields {
  return {
    name: /^v[A-Z]/,
    has: (path) =>
      partsOfTaxes[family].some((part) => path.startsWith(part)) &&
      !amountsWithoutRow.has(path) &&
      !partsWithoutRow.some((part) => path.startsWith(part)),
  };
}
