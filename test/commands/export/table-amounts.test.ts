import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, test } from 'vitest';
import type { InboundFamily } from '../../../src/contract/inbound.js';
import { ArchivedMonth } from '../inbound/archived-month.js';
import { records } from '../seed.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

/** Documents with the parts that a table reads, typed by hand. */
const nfe = (det: string, { ide = '', total = '' } = {}) =>
  `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe${KEYS.nfe}"><ide><dhEmi>2026-10-05T09:00:00-03:00</dhEmi>${ide}</ide>${det}${total}</infNFe></NFe>`;
const item = (parts: string, { vProd = '10.00', indTot = '1', n = '1', prod = '' } = {}) =>
  `<det nItem="${n}"><prod><cProd>${n}</cProd><vProd>${vProd}</vProd><indTot>${indTot}</indTot>${prod}</prod><imposto>${parts}</imposto></det>`;
const cte = (parts: string, root = 'CTe') =>
  `<${root} xmlns="http://www.portalfiscal.inf.br/cte"><infCte Id="CTe${KEYS.cte}"><ide><dhEmi>2026-10-05T09:00:00-03:00</dhEmi></ide><vPrest><vTPrest>100.00</vTPrest></vPrest>${parts}</infCte></${root}>`;
const nfse = (values: string, dps: string, { more = '', dCompet = '2026-10-05' } = {}) =>
  `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe Id="NFS${KEYS.nfse}"><nNFSe>1</nNFSe><valores>${values}</valores><DPS><infDPS><dhEmi>2026-10-05T09:59:00-03:00</dhEmi><dCompet>${dCompet}</dCompet>${more}<valores><vServPrest><vServ>10000.00</vServ></vServPrest>${dps}</valores></infDPS></DPS></infNFSe></NFSe>`;

const KEYS = {
  nfe: '35261011222333000181550030000000261123456782',
  cte: '35261011222333000181570030000000361123456786',
  nfse: '35503082211222333000181000000000004326101234567891',
} as const;

async function table(family: InboundFamily, text: string, name: string) {
  await month.add(family, KEYS[family], text);
  const words = ['export', 'table', name, '2026-10', '--archive', month.archive, '--out', '-'];
  const { stdout, stderr, exitCode } = await month.fiscal(...words);
  const rows = parse<Record<string, string>>(stdout, { columns: true, bom: true });
  return { rows, stderr, exitCode };
}

/** The named columns of each row, `-` where a cell is empty. */
function shown(rows: readonly Record<string, string>[], names: string): readonly string[] {
  return rows.map((row) =>
    names
      .split(' ')
      .map((name) => row[name] || '-')
      .join(' '),
  );
}

const taxes = async (family: InboundFamily, text: string) => {
  const { rows } = await table(family, text, 'taxes');
  return shown(rows, 'tax element base rate quantity unitRate amount');
};

const references = async (family: InboundFamily, text: string) => {
  const { rows } = await table(family, text, 'references');
  return shown(rows, 'relation referencedKey');
};

const [A, B, C] = ['1', '2', '3'].map((end) => `3526101122233300018155003000000007112345678${end}`);
const SERVICE = '35503082211222333000181000000000002126101234567899';

const total = async (name: string) => {
  const out = join(month.host.root, `${name}.csv`);
  const words = ['export', 'table', name, '2026-10', '--archive', month.archive, '--out', out];
  const { stdout, exitCode, stderr } = await month.fiscal(...words, '-o', 'ndjson', '--overwrite');
  return { records: records(stdout) as readonly Record<string, unknown>[], exitCode, stderr };
};

test('a note of one phase has its quantity, its rate and its amount once', async () => {
  const mono = `<IBSCBS><CST>620</CST><gIBSCBSMono><gMonoPadrao><qBCMono>100.0000</qBCMono><adRemIBS>0.1</adRemIBS><adRemCBS>0.2</adRemCBS><vIBSMono>10.00</vIBSMono><vCBSMono>20.00</vCBSMono></gMonoPadrao><vTotIBSMonoItem>10.00</vTotIBSMonoItem><vTotCBSMonoItem>20.00</vTotCBSMonoItem></gIBSCBSMono></IBSCBS>`;
  const gMono =
    '<total><IBSCBSTot><gMono><vIBSMono>10.00</vIBSMono><vCBSMono>20.00</vCBSMono></gMono></IBSCBSTot></total>';
  const text = nfe(item(mono), { total: gMono });
  expect(await taxes('nfe', text)).toEqual([
    ...['IBS-UF', 'IBS-MUN', 'CBS'].map((tax) => `${tax} - - - - - -`),
    'IBS-MONO vIBSMono - - 100.0000 0.1 10.00',
    'CBS-MONO vCBSMono - - 100.0000 0.2 20.00',
  ]);
  const { rows } = await table('nfe', text, 'header');
  expect(shown(rows, 'ibsMonoAmount cbsMonoAmount')).toEqual(['10.00 20.00']);
});

test('ICMS 53 has what the operation owes, what is deferred and what is left', async () => {
  const text = nfe(
    item(
      '<ICMS><ICMS53><orig>0</orig><CST>53</CST><qBCMono>100</qBCMono><adRemICMS>1</adRemICMS><vICMSMonoOp>100.00</vICMSMonoOp><pDif>40</pDif><vICMSMonoDif>40.00</vICMSMonoDif><vICMSMono>60.00</vICMSMono></ICMS53></ICMS>',
    ),
  );
  expect(await taxes('nfe', text)).toEqual([
    'ICMS - - - - - -',
    'ICMS-MONO-OP vICMSMonoOp - - - - 100.00',
    'ICMS-MONO-DIF vICMSMonoDif - 40 - - 40.00',
    'ICMS-MONO vICMSMono - - 100 1 60.00',
  ]);
});

test('transferred credits and adjustments of another period are rows', async () => {
  const text = nfe(
    item('<IBSCBS><CST>800</CST><gTransfCred><vIBS>50.00</vIBS><vCBS>9.00</vCBS></gTransfCred></IBSCBS>') +
      item(
        '<IBSCBS><CST>811</CST><gAjusteCompet><competApur>2026-09</competApur><vIBS>7.00</vIBS><vCBS>8.00</vCBS></gAjusteCompet></IBSCBS>',
        { n: '2' },
      ),
  );
  const { rows } = await table('nfe', text, 'taxes');
  const withAmount = rows.filter(({ amount }) => amount !== '');
  expect(shown(withAmount, 'item tax situation period amount')).toEqual([
    '1 IBS-TRANSF-CRED 800 - 50.00',
    '1 CBS-TRANSF-CRED 800 - 9.00',
    '2 IBS-AJUSTE-COMPET 811 2026-09 7.00',
    '2 CBS-AJUSTE-COMPET 811 2026-09 8.00',
  ]);
});

test('items outside the value of their note are named and not in the sum', async () => {
  const text = nfe(item('') + item('', { n: '2', vProd: '5.00', indTot: '0' }));
  const { rows } = await table('nfe', text, 'items');
  expect(shown(rows, 'item amount countsInTotal')).toEqual(['1 10.00 1', '2 5.00 0']);
  const { records: found, stderr } = await total('items');
  expect(found.filter(({ type }) => type === 'total')).toEqual([
    { ...standing, documentType: 'nfe', rows: 1, amount: '10.00', withoutAmount: 0 },
    { ...standing, documentType: 'nfe', countsInTotal: '0', rows: 1, amount: '5.00', withoutAmount: 0 },
  ]);
  expect(found.at(-1)).toMatchObject({ outsideTotal: 1, rows: 2 });
  expect(stderr).toContain('1 item is no part of the value of its note (indTot 0)');
});

const standing = { type: 'total', direction: 'received', state: 'standing' };

test('the federal taxes of a CT-e OS are rows', async () => {
  const text = cte(
    '<imp><ICMS><ICMSSN><CST>90</CST><indSN>1</indSN></ICMSSN></ICMS><infTribFed><vPIS>1.65</vPIS><vCOFINS>7.60</vCOFINS><vIR>1.50</vIR><vINSS>11.00</vINSS><vCSLL>1.00</vCSLL></infTribFed></imp>',
    'CTeOS',
  );
  expect(await taxes('cte', text)).toEqual([
    'ICMS - - - - - -',
    'PIS vPIS - - - - 1.65',
    'COFINS vCOFINS - - - - 7.60',
    'IR vIR - - - - 1.50',
    'INSS vINSS - - - - 11.00',
    'CSLL vCSLL - - - - 1.00',
  ]);
  const { rows } = await table('cte', text, 'header');
  expect(shown(rows, 'pisAmount cofinsAmount')).toEqual(['1.65 7.60']);
});

const piscofins = (kind: string) =>
  `<piscofins><CST>01</CST><vBCPisCofins>10000.00</vBCPisCofins><pAliqPis>0.65</pAliqPis><pAliqCofins>3.00</pAliqCofins><vPis>65.00</vPis><vCofins>300.00</vCofins>${kind}</piscofins>`;
const trib = (kind: string, withheld: string, iss = '1') =>
  `<trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>${iss}</tpRetISSQN></tribMun><tribFed>${piscofins(kind)}${withheld}</tribFed></trib>`;
const kindOf = (kind: string) => `<tpRetPisCofins>${kind}</tpRetPisCofins>`;
const issValues = (vTotalRet: string) =>
  `<vBC>10000.00</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>500.00</vISSQN><vTotalRet>${vTotalRet}</vTotalRet>`;

test('ISS, PIS and COFINS that the taker withholds are rows that add up to vTotalRet', async () => {
  const text = nfse(issValues('1015.00'), trib(kindOf('1'), '<vRetIRRF>150.00</vRetIRRF>', '2'));
  const { rows, stderr } = await table('nfse', text, 'taxes');
  expect(shown(rows, 'tax element situation base rate amount')).toEqual([
    'ISSQN-RET vISSQN 1 10000.00 5.00 500.00',
    'PIS-RET vPis 01 10000.00 0.65 65.00',
    'COFINS-RET vCofins 01 10000.00 3.00 300.00',
    'IRRF-RET vRetIRRF - - - 150.00',
  ]);
  expect(stderr).not.toContain('vTotalRet');
});

test.each([
  ['3', 'PIS-COFINS-CSLL-RET'],
  ['4', 'PIS-COFINS-RET'],
  ['5', 'PIS-RET'],
  ['6', 'COFINS-RET'],
  ['7', 'COFINS-CSLL-RET'],
  ['8', 'CSLL-RET'],
  ['9', 'PIS-CSLL-RET'],
])('with tpRetPisCofins %s vRetCSLL holds what its row is called: %s', async (kind, tax) => {
  const text = nfse(issValues('465.00'), trib(kindOf(kind), '<vRetCSLL>465.00</vRetCSLL>'));
  const { rows, stderr } = await table('nfse', text, 'taxes');
  expect(shown(rows, 'tax element situation amount')).toEqual([
    'ISSQN vISSQN 1 500.00',
    'PIS vPis 01 65.00',
    'COFINS vCofins 01 300.00',
    `${tax} vRetCSLL ${kind} 465.00`,
  ]);
  expect(stderr).not.toContain('vTotalRet');
});

test('a note that withholds PIS and COFINS beside its vRetCSLL is told by its total', async () => {
  const of = async (kind: string, vTotalRet: string) => {
    const text = nfse(issValues(vTotalRet), trib(kind, '<vRetCSLL>100.00</vRetCSLL>'));
    const { rows, stderr } = await table('nfse', text, 'taxes');
    return [shown(rows, 'tax').slice(1), /\d NFS-e whose withheld.*/.exec(stderr)?.[0]];
  };
  const beside = ['PIS-RET', 'COFINS-RET', 'CSLL-RET'];
  expect(await of(kindOf('1'), '465.00')).toEqual([beside, undefined]);
  expect(await of(kindOf('3'), '465.00')).toEqual([beside, undefined]);
  expect(await of('', '465.00')).toEqual([beside, undefined]);
  expect(await of(kindOf('1'), '100.00')).toEqual([['PIS', 'COFINS', 'PIS-COFINS-RET'], undefined]);
  expect(await of(kindOf('0'), '100.00')).toEqual([['PIS', 'COFINS', 'CSLL-RET'], undefined]);
  expect(await of(kindOf('2'), '100.00')).toEqual([['PIS', 'COFINS', 'CSLL-RET'], undefined]);
});

test('withheld taxes that do not add up to vTotalRet are named, with both sums', async () => {
  await month.add('nfse', KEYS.nfse, nfse(issValues('99.00'), trib(kindOf('2'), '<vRetIRRF>150.00</vRetIRRF>')));
  const { records: found, stderr, exitCode } = await total('taxes');
  expect(found.filter(({ type }) => type === 'withheld')).toEqual([
    {
      ...{ type: 'withheld', direction: 'received', companyId: 'c1', month: '2026-10', documentType: 'nfse' },
      ...{ key: KEYS.nfse, amount: '150.00', declaredAmount: '99.00' },
    },
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`1 NFS-e whose withheld rows do not add up to its vTotalRet (the first: ${KEYS.nfse})`);
});

test('deductions have their percent, their discounts, and their documents with keys and amounts', async () => {
  const percent = nfse(
    '<vCalcDR>1500.00</vCalcDR><vBC>8500.00</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>425.00</vISSQN>',
    '<vDescCondIncond><vDescIncond>10.00</vDescIncond><vDescCond>20.00</vDescCond></vDescCondIncond><vDedRed><pDR>15.00</pDR></vDedRed>',
  );
  expect(await taxes('nfse', percent)).toEqual([
    'ISSQN vISSQN 8500.00 5.00 - - 425.00',
    'DEDUCAO vCalcDR - 15.00 - - 1500.00',
    'DESC-INCOND vDescIncond - - - - 10.00',
    'DESC-COND vDescCond - - - - 20.00',
  ]);
  const { rows } = await table('nfse', percent, 'header');
  expect(shown(rows, 'deductionAmount deductionPercent discountAmount conditionalDiscountAmount')).toEqual([
    '1500.00 15.00 10.00 20.00',
  ]);
  const documents = nfse(
    '<vCalcDR>1500.00</vCalcDR>',
    `<vDedRed><documentos><docDedRed><chNFSe>${SERVICE}</chNFSe><tpDedRed>1</tpDedRed><vDedutivelRedutivel>1600.00</vDedutivelRedutivel><vDeducaoReducao>1500.00</vDeducaoReducao></docDedRed><docDedRed><chNFe>${A}</chNFe></docDedRed><docDedRed><NFSeMun><nNFSeMun>77</nNFSeMun></NFSeMun><dtEmiDoc>2026-09-01</dtEmiDoc></docDedRed></documentos></vDedRed>`,
  );
  const found = await table('nfse', documents, 'references');
  expect(
    shown(
      found.rows,
      'relation referencedKey referencedType referencedNumber referencedDay deductibleAmount referencedAmount',
    ),
  ).toEqual([
    `docDedRed/chNFSe ${SERVICE} 1 - - 1600.00 1500.00`,
    `docDedRed/chNFe ${A} - - - - -`,
    'documentos/docDedRed - - 77 2026-09-01 - -',
  ]);
});

test('a refund, a rejected note and a replaced note of an NFS-e are references', async () => {
  const refund = `<IBSCBS><valores><gReeRepRes><documentos><dFeNacional><tipoChaveDFe>2</tipoChaveDFe><chaveDFe>${A}</chaveDFe></dFeNacional><vlrReeRepRes>3.00</vlrReeRepRes></documentos></gReeRepRes></valores></IBSCBS>`;
  const more = `<chNFSeRej>${SERVICE}</chNFSeRej><subst><chSubstda>${SERVICE}</chSubstda></subst>${refund}<serv><infoCompl><docRef>contrato 7</docRef></infoCompl></serv>`;
  const { rows } = await table('nfse', nfse('', '', { more }), 'references');
  expect(shown(rows, 'relation referencedKey referencedAmount')).toEqual([
    `infDPS/chNFSeRej ${SERVICE} -`,
    `subst/chSubstda ${SERVICE} -`,
    `dFeNacional/chaveDFe ${A} 3.00`,
  ]);
});

test('the references of an NF-e are its keys, wherever they stand, and its notes without a key', async () => {
  const ide = `<NFref><refNFe>${C}</refNFe></NFref><NFref><refNF><cUF>35</cUF><AAMM>2609</AAMM><CNPJ>11222333000181</CNPJ><mod>01</mod><serie>1</serie><nNF>12</nNF></refNF></NFref><gPagAntecipado><refNFe>${A}</refNFe><refNFe>${B}</refNFe></gPagAntecipado>`;
  const prod = `<detExport><exportInd><nRE>1</nRE><chNFe>${A}</chNFe></exportInd></detExport><detExport><exportInd><chNFe>${B}</chNFe></exportInd></detExport>`;
  const { rows } = await table('nfe', nfe(item('', { prod }), { ide }), 'references');
  expect(
    shown(rows, 'relation referencedKey referencedType referencedSeries referencedNumber referencedIssuer'),
  ).toEqual([
    `NFref/refNFe ${C} - - - -`,
    'NFref/refNF - 01 1 12 11222333000181',
    `gPagAntecipado/refNFe ${A} - - - -`,
    `gPagAntecipado/refNFe ${B} - - - -`,
    `exportInd/chNFe ${A} - - - -`,
    `exportInd/chNFe ${B} - - - -`,
  ]);
});

test('the references of each kind of CT-e are its keys', async () => {
  expect(await references('cte', cte(`<infCteAnu><chCte>${A}</chCte><dEmi>2026-10-01</dEmi></infCteAnu>`))).toEqual([
    `infCteAnu/chCte ${A}`,
  ]);
  const normal = `<infCTeNorm><infDoc><infNFe><chave>${A}</chave></infNFe><infDCe><chave>${B}</chave></infDCe></infDoc><infCteSub><chCte>${C}</chCte></infCteSub><infServVinc><infCTeMultimodal><chCTeMultimodal>${A}</chCTeMultimodal></infCTeMultimodal></infServVinc></infCTeNorm>`;
  expect(await references('cte', cte(normal))).toEqual([
    ...[`infNFe/chave ${A}`, `infDCe/chave ${B}`, `infCteSub/chCte ${C}`],
    `infCTeMultimodal/chCTeMultimodal ${A}`,
  ]);
  const other = `<infCTeNorm><infDocRef><chBPe>${A}</chBPe></infDocRef><infDocRef><nDoc>9</nDoc></infDocRef><refCTeCanc>${B}</refCTeCanc><infGTVe><chCTe>${C}</chCTe></infGTVe></infCTeNorm>`;
  expect(await references('cte', cte(other, 'CTeOS'))).toEqual([
    ...[`infDocRef/chBPe ${A}`, 'infCTeNorm/infDocRef -', `infCTeNorm/refCTeCanc ${B}`, `infGTVe/chCTe ${C}`],
  ]);
  const simple = `<det nItem="1"><infDocAnt><chCTe>${A}</chCTe><tpPrest>2</tpPrest><infNFeTranspParcial><chNFe>${B}</chNFe></infNFeTranspParcial></infDocAnt></det><infCteSub><chCte>${C}</chCte></infCteSub>`;
  expect(await references('cte', cte(simple, 'CTeSimp'))).toEqual([
    ...[`infDocAnt/chCTe ${A}`, `infNFeTranspParcial/chNFe ${B}`, `infCteSub/chCte ${C}`],
  ]);
});

test('the competence of an NFS-e is shown, and its month where it is not that of issue', async () => {
  const text = nfse('<vISSQN>5.00</vISSQN>', '', { dCompet: '2026-09-30' });
  for (const name of ['header', 'items', 'taxes']) {
    const { rows, stderr } = await table('nfse', text, name);
    expect(shown(rows, 'month competence competenceMonth')).toEqual(['2026-10 2026-09-30 2026-09']);
    expect(stderr).toContain('1 document has its competence in another month');
  }
  const { rows } = await table('nfse', nfse('', ''), 'header');
  expect(shown(rows, 'month competence competenceMonth')).toEqual(['2026-10 2026-10-05 -']);
});

test('rows without an amount have no sum', async () => {
  await month.add('cte', KEYS.cte, cte('<imp><ICMS><ICMSSN><CST>90</CST></ICMSSN></ICMS></imp>'));
  const { records: found } = await total('taxes');
  expect(found.filter(({ type }) => type === 'total')).toEqual([
    { ...standing, documentType: 'cte', tax: 'ICMS', rows: 1, withoutAmount: 1 },
  ]);
});

test('an amount without a row is named with its element and its documents, and ends with 3', async () => {
  await month.add('cte', KEYS.cte, cte('<imp><infTribFed><vPIS>1.00</vPIS><vNovo>2.00</vNovo></infTribFed></imp>'));
  const { records: found, stderr, exitCode } = await total('taxes');
  expect(exitCode).toBe(3);
  expect(found.filter(({ type }) => type === 'left-out')).toEqual([
    { type: 'left-out', documentType: 'cte', element: 'imp/infTribFed/vNovo', key: KEYS.cte, documents: 1 },
  ]);
  expect(stderr).toContain('1 amount of the XML has no row');
  expect(stderr).toContain('imp/infTribFed/vNovo (1)');
});
