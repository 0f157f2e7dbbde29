import { columnOf, type TableColumn } from './table-column.js';

const text = columnOf('text');
const code = columnOf('code');
const amount = columnOf('amount');
const day = columnOf('day');
const time = columnOf('time');

const offset = columnOf('offset');

const party = (element: string) => `${element}/CNPJ|${element}/CPF`;

/** The first column of a table with issued documents. */
export const directionColumn = code('direction', ['received or issued', 'received (recebido) ou issued (emitido)'], {
  known: 'direction',
});

/** The document of a row: the first columns of every table. */
export const documentColumns: readonly TableColumn[] = [
  code('companyId', ['The company of the account', 'A empresa da conta'], { known: 'companyId' }),
  code('companyTaxNumber', ['Its CNPJ, where it is known', 'O CNPJ dela, quando é conhecido'], {
    known: 'companyTaxNumber',
  }),
  code('month', ['Month of its own date of issue', 'Mês da própria data de emissão'], { known: 'month' }),
  code('type', ['nfe, cte or nfse; issued: nfe, nfce or nfse', 'nfe, cte ou nfse; emitidos: nfe, nfce ou nfse'], {
    known: 'type',
  }),
  code('accessKey', ['Access key', 'Chave de acesso'], { known: 'accessKey' }),
  code(
    'state',
    [
      'standing, cancelled, substituted, annulled, denied, disabled or unknown, by the status, the events and the XML that are known here',
      'standing (ativa), cancelled (cancelada), substituted (substituída), annulled (anulada), denied (denegada), disabled (inutilizada) ou unknown (não conhecida), pelo status, pelos eventos e pelo XML conhecidos aqui',
    ],
    { known: 'state' },
  ),
  code('model', ['Model: 55, 65, 57, 67', 'Modelo: 55, 65, 57, 67'], { nfe: 'ide/mod', cte: 'ide/mod' }),
  code('series', ['Series; of an NFS-e: of its DPS', 'Série; na NFS-e, a da DPS'], {
    ...{ nfe: 'ide/serie', cte: 'ide/serie', nfse: 'DPS/infDPS/serie' },
  }),
  code('number', ['Number', 'Número'], { nfe: 'ide/nNF', cte: 'ide/nCT', nfse: 'nNFSe' }),
  time('issuedAt', ['Time of issue, by the clock of the document', 'Emissão, no horário do documento'], {
    ...{ nfe: 'ide/dhEmi|ide/dEmi', cte: 'ide/dhEmi', nfse: 'DPS/infDPS/dhEmi', known: 'issuedOn' },
  }),
  offset('issuedAtOffset', ['Its offset from UTC', 'Fuso da emissão'], {
    ...{ nfe: 'ide/dhEmi', cte: 'ide/dhEmi', nfse: 'DPS/infDPS/dhEmi', known: 'issuedOn' },
  }),
  day(
    'competence',
    [
      'Day of the service of an NFS-e, or of the services of an NF-e',
      'Data de competência da NFS-e, ou dos serviços da NF-e',
    ],
    { nfe: 'total/ISSQNtot/dCompet', nfse: 'DPS/infDPS/dCompet' },
  ),
  code('competenceMonth', ['Its month, where it is not that of issue', 'O mês dela, quando não é o de emissão'], {
    known: 'competenceMonth',
  }),
  code('issuerTaxNumber', ['CNPJ or CPF of the issuer', 'CNPJ ou CPF do emitente'], {
    ...{ nfe: party('emit'), cte: party('emit'), nfse: party('emit'), known: 'issuer' },
  }),
  text('issuerName', ['Name of the issuer', 'Nome do emitente'], {
    ...{ nfe: 'emit/xNome', cte: 'emit/xNome', nfse: 'emit/xNome', known: 'issuerName' },
  }),
];

const TOTAL = 'total/ICMSTot';
const DECLARED = 'DPS/infDPS';
const SERVICE = `${DECLARED}/serv/cServ`;
const VALUES = `${DECLARED}/valores`;
const FEDERAL = `${VALUES}/trib/tribFed`;

export const headerColumns: readonly TableColumn[] = [
  ...documentColumns,
  code('xml', ['What was read of its XML; why there are no fields', 'O que se leu do XML; por que não há campos'], {
    known: 'xml',
  }),
  code('status', ['Status as the service reports it', 'Status como o serviço informa'], { known: 'status' }),
  time('authorizedAt', ['Authorisation; of an NFS-e: processing', 'Autorização; na NFS-e, processamento'], {
    ...{ nfe: '/protNFe/infProt/dhRecbto', cte: '/protCTe/infProt/dhRecbto', nfse: 'dhProc' },
  }),
  code('protocol', ['Protocol of the authorisation', 'Protocolo de autorização'], {
    ...{ nfe: '/protNFe/infProt/nProt', cte: '/protCTe/infProt/nProt' },
  }),
  text('operation', ['Nature of the operation, or service', 'Natureza da operação, ou serviço'], {
    ...{ nfe: 'ide/natOp', cte: 'ide/natOp', nfse: 'xTribNac' },
  }),
  code('operationType', ['0 in, 1 out (tpNF)', '0 entrada, 1 saída (tpNF)'], { nfe: 'ide/tpNF' }),
  code('purpose', ['Purpose (finNFe) or kind of CT-e (tpCTe)', 'Finalidade (finNFe) ou tipo do CT-e (tpCTe)'], {
    ...{ nfe: 'ide/finNFe', cte: 'ide/tpCTe' },
  }),
  code('cfop', ['CFOP of the transport', 'CFOP do transporte'], { cte: 'ide/CFOP' }),
  code('modal', ['Means of transport (modal)', 'Modal'], { cte: 'ide/modal' }),
  code('issuerStateRegistration', ['State registration of the issuer', 'Inscrição estadual do emitente'], {
    ...{ nfe: 'emit/IE', cte: 'emit/IE' },
  }),
  code('issuerCityRegistration', ['City registration of the issuer', 'Inscrição municipal do emitente'], {
    ...{ nfe: 'emit/IM', nfse: 'emit/IM' },
  }),
  code('issuerRegime', ['Tax regime of the issuer (CRT)', 'Regime tributário do emitente (CRT)'], {
    ...{ nfe: 'emit/CRT', cte: 'emit/CRT' },
  }),
  code('issuerCity', ['City of the issuer (IBGE)', 'Município do emitente (IBGE)'], {
    ...{ nfe: 'emit/enderEmit/cMun', cte: 'emit/enderEmit/cMun', nfse: 'emit/enderNac/cMun' },
  }),
  code('issuerState', ['State of the issuer', 'UF do emitente'], {
    ...{ nfe: 'emit/enderEmit/UF', cte: 'emit/enderEmit/UF', nfse: 'emit/enderNac/UF' },
  }),
  code('providerTaxNumber', ['CNPJ, CPF or NIF of the provider', 'CNPJ, CPF ou NIF do prestador'], {
    nfse: `${party(`${DECLARED}/prest`)}|${DECLARED}/prest/NIF`,
  }),
  code(
    'recipientTaxNumber',
    ['CNPJ, CPF or foreign id of the recipient or taker', 'CNPJ, CPF ou id. estrangeira do destinatário ou tomador'],
    {
      nfe: `${party('dest')}|dest/idEstrangeiro`,
      cte: party('dest'),
      nfse: `${party(`${DECLARED}/toma`)}|${DECLARED}/toma/NIF`,
      known: 'recipient',
    },
  ),
  text('recipientName', ['Name of the recipient or taker', 'Nome do destinatário ou tomador'], {
    ...{ nfe: 'dest/xNome', cte: 'dest/xNome', nfse: `${DECLARED}/toma/xNome` },
  }),
  code('recipientStateRegistration', ['Its state registration', 'Inscrição estadual dele'], {
    ...{ nfe: 'dest/IE', cte: 'dest/IE' },
  }),
  code('recipientCity', ['Its city (IBGE)', 'Município dele (IBGE)'], {
    nfe: 'dest/enderDest/cMun',
    cte: 'dest/enderDest/cMun',
    nfse: `${DECLARED}/toma/end/endNac/cMun`,
  }),
  code('recipientState', ['Its state', 'UF dele'], { nfe: 'dest/enderDest/UF', cte: 'dest/enderDest/UF' }),
  code('senderTaxNumber', ['CNPJ or CPF of the sender', 'CNPJ ou CPF do remetente'], { cte: party('rem') }),
  text('senderName', ['Name of the sender', 'Nome do remetente'], { cte: 'rem/xNome' }),
  code(
    'payer',
    [
      'Who pays: 0 sender, 1 dispatcher, 2 receiver, 3 recipient, 4 other',
      'Tomador: 0 remetente, 1 expedidor, 2 recebedor, 3 destinatário, 4 outros',
    ],
    { cte: 'ide/toma3/toma|ide/toma03/toma|ide/toma4/toma|toma/toma' },
  ),
  code('payerTaxNumber', ['CNPJ or CPF of another payer', 'CNPJ ou CPF de outro tomador'], {
    cte: `${party('ide/toma4')}|${party('toma')}`,
  }),
  text('payerName', ['Name of another payer', 'Nome de outro tomador'], { cte: 'ide/toma4/xNome|toma/xNome' }),
  code('originCity', ['Where the transport begins (IBGE)', 'Início da prestação (IBGE)'], { cte: 'ide/cMunIni' }),
  code('originState', ['State where it begins', 'UF de início'], { cte: 'ide/UFIni' }),
  code('destinationCity', ['Where it ends (IBGE)', 'Fim da prestação (IBGE)'], { cte: 'ide/cMunFim' }),
  code('destinationState', ['State where it ends', 'UF de fim'], { cte: 'ide/UFFim' }),
  code('serviceCity', ['City of the service (IBGE)', 'Município da prestação (IBGE)'], {
    nfse: `${DECLARED}/serv/locPrest/cLocPrestacao`,
  }),
  code('taxCity', ['City of the ISSQN (IBGE)', 'Município de incidência do ISSQN (IBGE)'], { nfse: 'cLocIncid' }),
  code('substitutedKey', ['Key of the NFS-e that it replaces', 'Chave da NFS-e substituída'], {
    nfse: `${DECLARED}/subst/chSubstda`,
  }),
  amount('totalAmount', ['Value of the document: vNF, vTPrest, vServ', 'Valor do documento: vNF, vTPrest, vServ'], {
    nfe: `${TOTAL}/vNF`,
    cte: 'vPrest/vTPrest|total/vTPrest',
    nfse: `${VALUES}/vServPrest/vServ`,
    known: 'amountText',
  }),
  amount('netAmount', ['To be received: vRec, vLiq', 'A receber: vRec, vLiq'], {
    ...{ cte: 'vPrest/vRec|total/vTRec', nfse: 'valores/vLiq' },
  }),
  amount('goodsAmount', ['Goods', 'Produtos'], { nfe: `${TOTAL}/vProd` }),
  amount('servicesAmount', ['Services of an NF-e', 'Serviços da NF-e'], { nfe: 'total/ISSQNtot/vServ' }),
  amount('discountAmount', ['Discount', 'Desconto'], {
    ...{ nfe: `${TOTAL}/vDesc`, nfse: `${VALUES}/vDescCondIncond/vDescIncond` },
  }),
  amount('conditionalDiscountAmount', ['Conditional discount', 'Desconto condicionado'], {
    nfse: `${VALUES}/vDescCondIncond/vDescCond`,
  }),
  amount('deductionAmount', ['Deductions and reductions', 'Deduções e reduções'], {
    nfse: `valores/vCalcDR|${VALUES}/vDedRed/vDR`,
  }),
  amount('deductionPercent', ['Deduction in percent', 'Dedução em %'], { nfse: `${VALUES}/vDedRed/pDR` }),
  amount('freightAmount', ['Freight', 'Frete'], { nfe: `${TOTAL}/vFrete` }),
  amount('insuranceAmount', ['Insurance', 'Seguro'], { nfe: `${TOTAL}/vSeg` }),
  amount('otherAmount', ['Other expenses', 'Outras despesas'], { nfe: `${TOTAL}/vOutro` }),
  amount('cargoAmount', ['Value of the cargo', 'Valor da carga'], { cte: 'infCTeNorm/infCarga/vCarga' }),
  amount('icmsBase', ['Base of the ICMS', 'Base do ICMS'], {
    ...{ nfe: `${TOTAL}/vBC`, cte: 'imp/ICMS/*/vBC|imp/ICMS/*/vBCOutraUF' },
  }),
  amount('icmsAmount', ['ICMS', 'ICMS'], {
    ...{ nfe: `${TOTAL}/vICMS`, cte: 'imp/ICMS/*/vICMS|imp/ICMS/*/vICMSOutraUF' },
  }),
  amount('icmsReliefAmount', ['Relieved ICMS', 'ICMS desonerado'], { nfe: `${TOTAL}/vICMSDeson` }),
  amount('icmsStBase', ['Base of the ICMS-ST', 'Base do ICMS-ST'], { nfe: `${TOTAL}/vBCST` }),
  amount('icmsStAmount', ['ICMS-ST', 'ICMS-ST'], { nfe: `${TOTAL}/vST` }),
  amount('fcpAmount', ['FCP', 'FCP'], { nfe: `${TOTAL}/vFCP` }),
  amount('fcpStAmount', ['FCP-ST', 'FCP-ST'], { nfe: `${TOTAL}/vFCPST` }),
  amount('icmsDestinationAmount', ['ICMS of the state of destination', 'ICMS da UF de destino'], {
    ...{ nfe: `${TOTAL}/vICMSUFDest`, cte: 'imp/ICMSUFFim/vICMSUFFim' },
  }),
  amount('iiAmount', ['Import duty', 'Imposto de importação'], { nfe: `${TOTAL}/vII` }),
  amount('ipiAmount', ['IPI', 'IPI'], { nfe: `${TOTAL}/vIPI` }),
  amount('pisAmount', ['PIS', 'PIS'], {
    ...{ nfe: `${TOTAL}/vPIS`, cte: 'imp/infTribFed/vPIS', nfse: `${FEDERAL}/piscofins/vPis` },
  }),
  amount('cofinsAmount', ['COFINS', 'COFINS'], {
    nfe: `${TOTAL}/vCOFINS`,
    cte: 'imp/infTribFed/vCOFINS',
    nfse: `${FEDERAL}/piscofins/vCofins`,
  }),
  amount('issBase', ['Base of the ISSQN', 'Base do ISSQN'], { nfe: 'total/ISSQNtot/vBC', nfse: 'valores/vBC' }),
  amount('issAmount', ['ISSQN', 'ISSQN'], { nfe: 'total/ISSQNtot/vISS', nfse: 'valores/vISSQN' }),
  code(
    'issWithheld',
    ['1 not withheld, 2 by the taker, 3 by the intermediary', '1 não retido, 2 pelo tomador, 3 pelo intermediário'],
    { nfse: `${VALUES}/trib/tribMun/tpRetISSQN` },
  ),
  amount('withheldAmount', ['All taxes that are withheld', 'Total das retenções'], { nfse: 'valores/vTotalRet' }),
  amount('isAmount', ['Selective tax (IS)', 'Imposto Seletivo (IS)'], { nfe: 'total/ISTot/vIS' }),
  amount('ibsCbsBase', ['Base of IBS and CBS', 'Base do IBS e da CBS'], {
    ...{ nfe: 'total/IBSCBSTot/vBCIBSCBS', cte: 'imp/IBSCBS/gIBSCBS/vBC', nfse: 'IBSCBS/valores/vBC' },
  }),
  amount('ibsAmount', ['IBS', 'IBS'], {
    nfe: 'total/IBSCBSTot/gIBS/vIBS',
    cte: 'imp/IBSCBS/gIBSCBS/vIBS',
    nfse: 'IBSCBS/totCIBS/gIBS/vIBSTot',
  }),
  amount('cbsAmount', ['CBS', 'CBS'], {
    nfe: 'total/IBSCBSTot/gCBS/vCBS',
    cte: 'imp/IBSCBS/gIBSCBS/gCBS/vCBS',
    nfse: 'IBSCBS/totCIBS/gCBS/vCBS',
  }),
  amount('ibsMonoAmount', ['IBS of one phase', 'IBS monofásico'], {
    nfe: 'total/IBSCBSTot/gMono/vIBSMono',
    cte: 'imp/IBSCBS/gIBSCBSMono/vTotIBSMonoItem',
  }),
  amount('cbsMonoAmount', ['CBS of one phase', 'CBS monofásica'], {
    nfe: 'total/IBSCBSTot/gMono/vCBSMono',
    cte: 'imp/IBSCBS/gIBSCBSMono/vTotCBSMonoItem',
  }),
  amount(
    'totalWithReform',
    ['Value with IBS, CBS and IS: vNFTot, vTotDFe, vTotNF', 'Valor com IBS, CBS e IS: vNFTot, vTotDFe, vTotNF'],
    { ...{ nfe: 'total/vNFTot', cte: 'imp/vTotDFe|total/vTotDFe', nfse: 'IBSCBS/totCIBS/vTotNF' } },
  ),
  amount('approximateTaxes', ['Taxes as estimated for the consumer', 'Tributos aproximados (Lei 12.741)'], {
    ...{ nfe: `${TOTAL}/vTotTrib`, cte: 'imp/vTotTrib' },
  }),
  text('file', ['Path of the XML in the archive', 'Caminho do XML na pasta de documentos'], { known: 'file' }),
  code('sha256', ['SHA-256 of the XML, as this machine stored it', 'SHA-256 do XML, como esta máquina o gravou'], {
    known: 'sha256',
  }),
];

const ICMS = 'det/imposto/ICMS/*';
const REFORM = 'det/imposto/IBSCBS';

/** One row an item of an NF-e, a component of the value of a CT-e, an NFS-e. */
export const itemColumns: readonly TableColumn[] = [
  ...documentColumns,
  amount('item', ['Number of the item in the document', 'Número do item no documento'], { known: 'item' }),
  code('code', ['Code of the product or of the service', 'Código do produto ou do serviço'], {
    ...{ nfe: 'det/prod/cProd', nfse: `${SERVICE}/cTribNac` },
  }),
  text('description', ['Description', 'Descrição'], {
    ...{ nfe: 'det/prod/xProd', cte: 'vPrest/Comp/xNome|det/Comp/xNome', nfse: `${SERVICE}/xDescServ` },
  }),
  code('gtin', ['GTIN', 'GTIN'], { nfe: 'det/prod/cEAN' }),
  code('ncm', ['NCM', 'NCM'], { nfe: 'det/prod/NCM' }),
  code('cest', ['CEST', 'CEST'], { nfe: 'det/prod/CEST' }),
  code('nbs', ['NBS', 'NBS'], { nfse: `${SERVICE}/cNBS` }),
  code('benefit', ['Code of the tax benefit', 'Código do benefício fiscal'], { nfe: 'det/prod/cBenef' }),
  code('cfop', ['CFOP', 'CFOP'], { nfe: 'det/prod/CFOP', cte: 'ide/CFOP' }),
  code('serviceCode', ['Service: list of the law, or of the city', 'Serviço: lista da lei, ou do município'], {
    ...{ nfe: 'det/imposto/ISSQN/cListServ', nfse: `${SERVICE}/cTribMun` },
  }),
  code('unit', ['Unit', 'Unidade'], { nfe: 'det/prod/uCom' }),
  amount('quantity', ['Quantity', 'Quantidade'], { nfe: 'det/prod/qCom' }),
  amount('unitPrice', ['Price of a unit', 'Valor unitário'], { nfe: 'det/prod/vUnCom' }),
  amount('amount', ['Gross value: vProd, vComp, vServ', 'Valor bruto: vProd, vComp, vServ'], {
    nfe: 'det/prod/vProd',
    cte: 'vPrest/Comp/vComp|det/Comp/vComp|vPrest/vTPrest|total/vTPrest',
    nfse: `${VALUES}/vServPrest/vServ`,
  }),
  code('countsInTotal', ['0: not part of the value of the note (indTot)', '0: não compõe o valor da nota (indTot)'], {
    nfe: 'det/prod/indTot',
  }),
  code('taxUnit', ['Taxed unit', 'Unidade tributável'], { nfe: 'det/prod/uTrib' }),
  amount('taxQuantity', ['Taxed quantity', 'Quantidade tributável'], { nfe: 'det/prod/qTrib' }),
  amount('taxUnitPrice', ['Price of a taxed unit', 'Valor unitário de tributação'], { nfe: 'det/prod/vUnTrib' }),
  amount('freightAmount', ['Freight', 'Frete'], { nfe: 'det/prod/vFrete' }),
  amount('insuranceAmount', ['Insurance', 'Seguro'], { nfe: 'det/prod/vSeg' }),
  amount('discountAmount', ['Discount', 'Desconto'], {
    ...{ nfe: 'det/prod/vDesc', nfse: `${VALUES}/vDescCondIncond/vDescIncond` },
  }),
  amount('otherAmount', ['Other expenses', 'Outras despesas'], { nfe: 'det/prod/vOutro' }),
  code('order', ['Order of the buyer', 'Pedido de compra'], { nfe: 'det/prod/xPed' }),
  code('orderItem', ['Item of the order', 'Item do pedido'], { nfe: 'det/prod/nItemPed' }),
  code('origin', ['Origin of the goods', 'Origem da mercadoria'], { nfe: `${ICMS}/orig` }),
  code('icmsSituation', ['CST or CSOSN of the ICMS', 'CST ou CSOSN do ICMS'], { nfe: `${ICMS}/CST|${ICMS}/CSOSN` }),
  amount('icmsBase', ['Base of the ICMS', 'Base do ICMS'], { nfe: `${ICMS}/vBC` }),
  amount('icmsRate', ['Rate of the ICMS, in percent', 'Alíquota do ICMS, em %'], { nfe: `${ICMS}/pICMS` }),
  amount('icmsAmount', ['ICMS', 'ICMS'], { nfe: `${ICMS}/vICMS` }),
  amount('icmsStBase', ['Base of the ICMS-ST', 'Base do ICMS-ST'], { nfe: `${ICMS}/vBCST` }),
  amount('icmsStAmount', ['ICMS-ST', 'ICMS-ST'], { nfe: `${ICMS}/vICMSST` }),
  code('ipiSituation', ['CST of the IPI', 'CST do IPI'], { nfe: 'det/imposto/IPI/*/CST' }),
  amount('ipiAmount', ['IPI', 'IPI'], { nfe: 'det/imposto/IPI/*/vIPI' }),
  code('pisSituation', ['CST of the PIS', 'CST do PIS'], {
    ...{ nfe: 'det/imposto/PIS/*/CST', nfse: `${FEDERAL}/piscofins/CST` },
  }),
  amount('pisAmount', ['PIS', 'PIS'], { nfe: 'det/imposto/PIS/*/vPIS', nfse: `${FEDERAL}/piscofins/vPis` }),
  code('cofinsSituation', ['CST of the COFINS', 'CST da COFINS'], {
    ...{ nfe: 'det/imposto/COFINS/*/CST', nfse: `${FEDERAL}/piscofins/CST` },
  }),
  amount('cofinsAmount', ['COFINS', 'COFINS'], {
    ...{ nfe: 'det/imposto/COFINS/*/vCOFINS', nfse: `${FEDERAL}/piscofins/vCofins` },
  }),
  amount('issAmount', ['ISSQN', 'ISSQN'], { nfe: 'det/imposto/ISSQN/vISSQN', nfse: 'valores/vISSQN' }),
  amount('isAmount', ['Selective tax (IS)', 'Imposto Seletivo (IS)'], { nfe: 'det/imposto/IS/vIS' }),
  code('ibsCbsSituation', ['CST of IBS and CBS', 'CST do IBS e da CBS'], {
    ...{ nfe: `${REFORM}/CST`, nfse: `${DECLARED}/IBSCBS/valores/trib/gIBSCBS/CST` },
  }),
  code('ibsCbsClassification', ['cClassTrib', 'cClassTrib'], {
    ...{ nfe: `${REFORM}/cClassTrib`, nfse: `${DECLARED}/IBSCBS/valores/trib/gIBSCBS/cClassTrib` },
  }),
  amount('ibsAmount', ['IBS', 'IBS'], { nfe: `${REFORM}/gIBSCBS/vIBS`, nfse: 'IBSCBS/totCIBS/gIBS/vIBSTot' }),
  amount('cbsAmount', ['CBS', 'CBS'], { nfe: `${REFORM}/gIBSCBS/gCBS/vCBS`, nfse: 'IBSCBS/totCIBS/gCBS/vCBS' }),
  text('additionalInformation', ['Additional information of the item', 'Informações adicionais do item'], {
    nfe: 'det/infAdProd',
  }),
];
