import { typeOfKey } from '../../domain/access-key.js';
import type { FieldGroup, OtherFields } from '../../archive/xml-fields.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { columnOf, type Known, type TableColumn } from './table-column.js';
import { documentColumns } from './table-columns.js';

const text = columnOf('text');
const code = columnOf('code');
const amount = columnOf('amount');
const day = columnOf('day');

const DEDUCTION = 'DPS/infDPS/valores/vDedRed/documentos/docDedRed';
const REFUND = 'DPS/infDPS/IBSCBS/valores/gReeRepRes/documentos';
const PAPER_NF = 'ide/NFref/refNF';
const PAPER_NFP = 'ide/NFref/refNFP';
const COUPON = 'ide/NFref/refECF';
const CTE_NF = 'infCTeNorm/infDoc/infNF';
const CTE_OTHER = 'infCTeNorm/infDoc/infOutros';
const CTE_BEFORE = 'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntPap';
const CTE_OS = 'infCTeNorm/infDocRef';
const CTE_PAYER_NF = 'infCTeNorm/infCteSub/tomaICMS/refNF';
const CTE_BOAT_NF = 'infCTeNorm/infModal/aquav/detCont/infDoc/infNF';

/** The documents that are named by more than their key, or have none. */
export const referenceGroups: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: [PAPER_NF, PAPER_NFP, COUPON],
  cte: [CTE_NF, CTE_OTHER, CTE_BEFORE, CTE_OS, CTE_PAYER_NF, CTE_BOAT_NF],
  nfse: [DEDUCTION, REFUND],
};

/** Where the key stands in a group. */
const groupKeys: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: [],
  cte: [`${CTE_OS}/chBPe`],
  nfse: [`${DEDUCTION}/chNFSe`, `${DEDUCTION}/chNFe`, `${REFUND}/dFeNacional/chaveDFe`],
};

/**
 * Every other key of a document. The schemas give no other element such a name, so that a key of a later layout, or one of an
 * earlier one, has its row as well.
 */
export const otherKeys: OtherFields = { name: /^(?:ch(?:[A-Z]\w*)?|chave\w*|ref[A-Z]\w*|docRef)$/, has: () => true };

/** What a group names, in the words of the columns; `undefined`: nothing. */
export function referenceIn(family: InboundFamily, { path, fields }: FieldGroup): Known | undefined {
  const own = fields.get(path);
  const at = own === undefined ? groupKeys[family].find((each) => fields.has(each)) : path;
  const referencedKey = own ?? (at === undefined ? undefined : fields.get(at));
  // `docRef` may hold any number.
  if (path.endsWith('/docRef') && typeOfKey(referencedKey ?? '') === undefined) return undefined;
  if (fields.size === 0) return undefined;
  const relation = (at ?? path).split('/').slice(-2).join('/');
  return { relation, ...(referencedKey !== undefined && { referencedKey }) };
}

/** One row a document that a document names. */
export const referenceColumns: readonly TableColumn[] = [
  ...documentColumns,
  code('relation', ['The element that names it, in its group', 'O elemento que o informa, no seu grupo'], {
    known: 'relation',
  }),
  code(
    'referencedKey',
    [
      'Access key that the document names: each element ch…, chave… or ref… below the signed one, and a key in docRef',
      'Chave de acesso informada no documento: cada elemento ch…, chave… ou ref… do elemento assinado, e uma chave em docRef',
    ],
    { known: 'referencedKey' },
  ),
  code(
    'referencedType',
    [
      'Kind of the document or of the deduction: mod, tpDoc, tpDedRed, tpReeRepRes',
      'Tipo do documento ou da dedução: mod, tpDoc, tpDedRed, tpReeRepRes',
    ],
    {
      nfe: `${PAPER_NF}/mod|${PAPER_NFP}/mod|${COUPON}/mod`,
      cte: `${CTE_NF}/mod|${CTE_OTHER}/tpDoc|${CTE_BEFORE}/tpDoc|${CTE_PAYER_NF}/mod`,
      nfse: `${DEDUCTION}/tpDedRed|${REFUND}/tpReeRepRes`,
    },
  ),
  code('referencedSeries', ['Its series', 'Série dele'], {
    nfe: `${PAPER_NF}/serie|${PAPER_NFP}/serie|${COUPON}/nECF`,
    cte: `${CTE_NF}/serie|${CTE_BEFORE}/serie|${CTE_OS}/serie|${CTE_PAYER_NF}/serie|${CTE_BOAT_NF}/serie`,
    nfse: `${DEDUCTION}/NFNFS/serieNFS`,
  }),
  code('referencedNumber', ['Its number', 'Número dele'], {
    nfe: `${PAPER_NF}/nNF|${PAPER_NFP}/nNF|${COUPON}/nCOO`,
    cte: `${CTE_NF}/nDoc|${CTE_OTHER}/nDoc|${CTE_BEFORE}/nDoc|${CTE_OS}/nDoc|${CTE_PAYER_NF}/nro|${CTE_BOAT_NF}/nDoc`,
    nfse: [
      ...[`${DEDUCTION}/NFSeMun/nNFSeMun`, `${DEDUCTION}/NFNFS/nNFS`, `${DEDUCTION}/nDocFisc`],
      ...[`${DEDUCTION}/nDoc`, `${REFUND}/docFiscalOutro/nDocFiscal`, `${REFUND}/docOutro/nDoc`],
    ].join('|'),
  }),
  day('referencedDay', ['Its day of issue', 'Data de emissão dele'], {
    cte: `${CTE_NF}/dEmi|${CTE_OTHER}/dEmi|${CTE_BEFORE}/dEmi|${CTE_OS}/dEmi|${CTE_PAYER_NF}/dEmi`,
    nfse: `${DEDUCTION}/dtEmiDoc|${REFUND}/dtEmiDoc`,
  }),
  code('referencedIssuer', ['CNPJ, CPF or NIF of its issuer', 'CNPJ, CPF ou NIF do emitente dele'], {
    nfe: `${PAPER_NF}/CNPJ|${PAPER_NFP}/CNPJ|${PAPER_NFP}/CPF`,
    cte: `${CTE_PAYER_NF}/CNPJ|${CTE_PAYER_NF}/CPF`,
    nfse: [DEDUCTION, REFUND]
      .flatMap((group) => ['CNPJ', 'CPF', 'NIF'].map((name) => `${group}/fornec/${name}`))
      .join('|'),
  }),
  text('referencedDescription', ['Its description', 'Descrição dele'], {
    cte: `${CTE_OTHER}/descOutros`,
    nfse: `${DEDUCTION}/xDescOutDed|${REFUND}/xTpReeRepRes|${REFUND}/docFiscalOutro/xDocFiscal|${REFUND}/docOutro/xDoc`,
  }),
  amount('deductibleAmount', ['What of it can be deducted', 'Valor dedutível ou redutível'], {
    nfse: `${DEDUCTION}/vDedutivelRedutivel`,
  }),
  amount(
    'referencedAmount',
    [
      'Its value; of a deduction or refund: what is deducted or refunded',
      'Valor dele; na dedução ou no reembolso, o valor deduzido ou reembolsado',
    ],
    {
      cte: `${CTE_NF}/vNF|${CTE_OTHER}/vDocFisc|${CTE_OS}/vDoc|${CTE_PAYER_NF}/valor`,
      nfse: `${DEDUCTION}/vDeducaoReducao|${REFUND}/vlrReeRepRes`,
    },
  ),
];

/** The paths that the rows need besides those of the columns. */
export function referencePaths(family: InboundFamily): readonly string[] {
  return groupKeys[family];
}
