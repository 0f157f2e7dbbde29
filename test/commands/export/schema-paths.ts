import type { InboundFamily } from '../../../src/contract/inbound.js';

/**
 * Paths below the signed element that the schemas of NF-e (PL_009_V4, PL_010 up to v1.30), CT-e 4.00 (with and without the tax reform, of
 * CT-e, CT-e OS, simplified CT-e, GTV-e and the means of transport) and the national NFS-e 1.01 have, found by walking them.
 */

/** The elements whose type is an access key. */
export const keyPaths: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: [
    'det/DFeReferenciado/chaveAcesso',
    'det/prod/detExport/exportInd/chNFe',
    'ide/NFref/refCTe',
    'ide/NFref/refNFe',
    'ide/NFref/refNFeSig',
    'ide/gPagAntecipado/refNFe',
  ],
  cte: [
    'det/infDocAnt/chCTe',
    'det/infDocAnt/infNFeTranspParcial/chNFe',
    'det/infNFe/chNFe',
    'gPagAntecipado/chCTePagAnt',
    'ide/gCompraGov/refDFeAnt',
    'ide/gPagAntecipado/chCTePagAnt',
    'ide/gPagAntecipado/chDFePagAnt',
    'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chCTe',
    'infCTeNorm/infCteSub/chCte',
    'infCTeNorm/infDoc/infDCe/chave',
    'infCTeNorm/infDoc/infNFe/chave',
    'infCTeNorm/infDocRef/chBPe',
    'infCTeNorm/infGTVe/chCTe',
    'infCTeNorm/infServVinc/infCTeMultimodal/chCTeMultimodal',
    'infCTeNorm/refCTeCanc',
    'infCteComp/chCTe',
    'infCteSub/chCte',
    'infCTeNorm/infModal/aquav/detCont/infDoc/infNFe/chave',
    'infCTeNorm/infModal/ferrov/trafMut/chCTeFerroOrigem',
  ],
  nfse: [
    'DPS/infDPS/IBSCBS/gRefNFSe/refNFSe',
    'DPS/infDPS/IBSCBS/valores/gReeRepRes/documentos/dFeNacional/chaveDFe',
    'DPS/infDPS/chNFSeRej',
    'DPS/infDPS/subst/chSubstda',
    'DPS/infDPS/valores/vDedRed/documentos/docDedRed/chNFSe',
    'DPS/infDPS/valores/vDedRed/documentos/docDedRed/chNFe',
  ],
};

/** Keys of CT-e 2.00 and 3.00, which archives still hold. */
export const earlierKeyPaths: readonly string[] = [
  'infCteAnu/chCte',
  'infCTeNorm/infCteSub/refCteAnu',
  'infCTeNorm/infCteSub/tomaICMS/refNFe',
  'infCTeNorm/infCteSub/tomaICMS/refCte',
  'infCTeNorm/infCteSub/tomaNaoICMS/refCteAnu',
  'infCTeNorm/docAnt/emiDocAnt/idDocAnt/idDocAntEle/chave',
  'infCteComp/chave',
];

/** The amounts (`v…`) in the groups of taxes: a group, then its elements. */
export const amountPaths: Readonly<Record<InboundFamily, readonly string[]>> = {
  nfe: paths(`
    det/imposto/COFINS/COFINSAliq: vBC vCOFINS
    det/imposto/COFINS/COFINSOutr: vAliqProd vBC vCOFINS
    det/imposto/COFINS/COFINSQtde: vAliqProd vCOFINS
    det/imposto/COFINSST: vAliqProd vBC vCOFINS
    det/imposto/IBSCBS/gAjusteCompet: vCBS vIBS
    det/imposto/IBSCBS/gCredPresIBSZFM: vCredPresIBSZFM
    det/imposto/IBSCBS/gCredPresOper/gCBSCredPres: vCredPres vCredPresCondSus
    det/imposto/IBSCBS/gCredPresOper/gIBSCredPres: vCredPres vCredPresCondSus
    det/imposto/IBSCBS/gCredPresOper: vBCCredPres
    det/imposto/IBSCBS/gEstornoCred: vCBSEstCred vIBSEstCred
    det/imposto/IBSCBS/gIBSCBS/gCBS/gDevTrib: vDevTrib
    det/imposto/IBSCBS/gIBSCBS/gCBS/gDif: vDif
    det/imposto/IBSCBS/gIBSCBS/gCBS: vCBS
    det/imposto/IBSCBS/gIBSCBS/gCBSCredPres: vCredPres vCredPresCondSus
    det/imposto/IBSCBS/gIBSCBS/gIBSCredPres: vCredPres vCredPresCondSus
    det/imposto/IBSCBS/gIBSCBS/gIBSMun/gDevTrib: vDevTrib
    det/imposto/IBSCBS/gIBSCBS/gIBSMun/gDif: vDif
    det/imposto/IBSCBS/gIBSCBS/gIBSMun: vIBSMun
    det/imposto/IBSCBS/gIBSCBS/gIBSUF/gDevTrib: vDevTrib
    det/imposto/IBSCBS/gIBSCBS/gIBSUF/gDif: vDif
    det/imposto/IBSCBS/gIBSCBS/gIBSUF: vIBSUF
    det/imposto/IBSCBS/gIBSCBS/gTribCompraGov: vTribCBS vTribIBSMun vTribIBSUF
    det/imposto/IBSCBS/gIBSCBS/gTribRegular: vTribRegCBS vTribRegIBSMun vTribRegIBSUF
    det/imposto/IBSCBS/gIBSCBS: vBC vIBS
    det/imposto/IBSCBS/gIBSCBSMono/gMonoDif: vCBSMonoDif vIBSMonoDif
    det/imposto/IBSCBS/gIBSCBSMono/gMonoPadrao: vCBSMono vIBSMono
    det/imposto/IBSCBS/gIBSCBSMono/gMonoRet: vCBSMonoRet vIBSMonoRet
    det/imposto/IBSCBS/gIBSCBSMono/gMonoReten: vCBSMonoReten vIBSMonoReten
    det/imposto/IBSCBS/gIBSCBSMono: vTotCBSMonoItem vTotIBSMonoItem
    det/imposto/IBSCBS/gTransfCred: vCBS vIBS
    det/imposto/ICMS/ICMS00: vBC vFCP vICMS
    det/imposto/ICMS/ICMS02: vICMSMono
    det/imposto/ICMS/ICMS10: vBC vBCFCP vBCFCPST vBCST vFCP vFCPST vICMS vICMSST vICMSSTDeson
    det/imposto/ICMS/ICMS15: vICMSMono vICMSMonoReten
    det/imposto/ICMS/ICMS20: vBC vBCFCP vFCP vICMS vICMSDeson
    det/imposto/ICMS/ICMS30: vBCFCPST vBCST vFCPST vICMSDeson vICMSST
    det/imposto/ICMS/ICMS40: vICMSDeson
    det/imposto/ICMS/ICMS51: vBC vBCFCP vFCP vFCPDif vFCPEfet vICMS vICMSDif vICMSOp
    det/imposto/ICMS/ICMS53: vICMSMono vICMSMonoDif vICMSMonoOp
    det/imposto/ICMS/ICMS60: vBCEfet vBCFCPSTRet vBCSTRet vFCPSTRet vICMSEfet vICMSSTRet vICMSSubstituto
    det/imposto/ICMS/ICMS61: vICMSMonoRet
    det/imposto/ICMS/ICMS70: vBC vBCFCP vBCFCPST vBCST vFCP vFCPST vICMS vICMSDeson vICMSST vICMSSTDeson
    det/imposto/ICMS/ICMS90: vBC vBCFCP vBCFCPST vBCST vFCP vFCPDif vFCPEfet vFCPST vICMS vICMSDeson vICMSDif vICMSOp vICMSST vICMSSTDeson
    det/imposto/ICMS/ICMSPart: vBC vBCFCPST vBCST vFCPST vICMS vICMSDeson vICMSST
    det/imposto/ICMS/ICMSSN101: vCredICMSSN
    det/imposto/ICMS/ICMSSN201: vBCFCPST vBCST vCredICMSSN vFCPST vICMSST
    det/imposto/ICMS/ICMSSN202: vBCFCPST vBCST vFCPST vICMSST
    det/imposto/ICMS/ICMSSN500: vBCEfet vBCFCPSTRet vBCSTRet vFCPSTRet vICMSEfet vICMSSTRet vICMSSubstituto
    det/imposto/ICMS/ICMSSN900: vBC vBCFCPST vBCST vCredICMSSN vFCPST vICMS vICMSST
    det/imposto/ICMS/ICMSST: vBCEfet vBCFCPSTRet vBCSTDest vBCSTRet vFCPSTRet vICMSEfet vICMSSTDest vICMSSTRet vICMSSubstituto
    det/imposto/ICMSUFDest: vBCFCPUFDest vBCUFDest vFCPUFDest vICMSUFDest vICMSUFRemet
    det/imposto/II: vBC vDespAdu vII vIOF
    det/imposto/IPI/IPITrib: vBC vIPI vUnid
    det/imposto/IS: vBCIS vIS
    det/imposto/ISSQN: vAliq vBC vDeducao vDescCond vDescIncond vISSQN vISSRet vOutro
    det/imposto/PIS/PISAliq: vBC vPIS
    det/imposto/PIS/PISOutr: vAliqProd vBC vPIS
    det/imposto/PIS/PISQtde: vAliqProd vPIS
    det/imposto/PISST: vAliqProd vBC vPIS
    det/imposto: vTotTrib
    det/impostoDevol/IPI: vIPIDevol
    total/retTrib: vBCIRRF vBCRetPrev vIRRF vRetCOFINS vRetCSLL vRetPIS vRetPrev
  `),
  cte: paths(`
    imp/IBSCBS/gEstornoCred: vCBSEstCred vIBSEstCred
    imp/IBSCBS/gIBSCBS/gCBS/gALCZFMCBS: vTribRegCBS
    imp/IBSCBS/gIBSCBS/gCBS/gDevTrib: vDevTrib
    imp/IBSCBS/gIBSCBS/gCBS/gDif: vDif
    imp/IBSCBS/gIBSCBS/gCBS: vCBS
    imp/IBSCBS/gIBSCBS/gIBSMun/gDevTrib: vDevTrib
    imp/IBSCBS/gIBSCBS/gIBSMun/gDif: vDif
    imp/IBSCBS/gIBSCBS/gIBSMun: vIBSMun
    imp/IBSCBS/gIBSCBS/gIBSUF/gDevTrib: vDevTrib
    imp/IBSCBS/gIBSCBS/gIBSUF/gDif: vDif
    imp/IBSCBS/gIBSCBS/gIBSUF: vIBSUF
    imp/IBSCBS/gIBSCBS/gTribCompraGov: vTribCBS vTribIBSMun vTribIBSUF
    imp/IBSCBS/gIBSCBS/gTribRegular: vTribRegCBS vTribRegIBSMun vTribRegIBSUF
    imp/IBSCBS/gIBSCBS: vBC vIBS
    imp/ICMS/ICMS00: vBC vICMS
    imp/ICMS/ICMS20: vBC vICMS vICMSDeson
    imp/ICMS/ICMS45: vICMSDeson
    imp/ICMS/ICMS60: vBCSTRet vCred vICMSDeson vICMSSTRet
    imp/ICMS/ICMS90: vBC vCred vICMS vICMSDeson
    imp/ICMS/ICMSOutraUF: vBCOutraUF vICMSDeson vICMSOutraUF
    imp/ICMSUFFim: vBCUFFim vFCPUFFim vICMSUFFim vICMSUFIni
    imp/infTribFed: vCOFINS vCSLL vINSS vIR vPIS
    imp: vTotDFe vTotTrib
  `),
  nfse: paths(`
    DPS/infDPS/valores/trib/totTrib/vTotTrib: vTotTribEst vTotTribFed vTotTribMun
    DPS/infDPS/valores/trib/tribFed/piscofins: vBCPisCofins vCofins vPis
    DPS/infDPS/valores/trib/tribFed: vRetCP vRetCSLL vRetIRRF
    DPS/infDPS/valores/trib/tribMun/BM: vRedBCBM
    DPS/infDPS/valores/vDedRed/documentos/docDedRed: vDeducaoReducao vDedutivelRedutivel
    DPS/infDPS/valores/vDedRed: vDR
    DPS/infDPS/valores/vDescCondIncond: vDescCond vDescIncond
    DPS/infDPS/valores/vServPrest: vReceb vServ
    IBSCBS/totCIBS/gCBS/gCBSCredPres: vCredPresCBS
    IBSCBS/totCIBS/gCBS: vCBS vDifCBS
    IBSCBS/totCIBS/gIBS/gIBSCredPres: vCredPresIBS
    IBSCBS/totCIBS/gIBS/gIBSMunTot: vDifMun vIBSMun
    IBSCBS/totCIBS/gIBS/gIBSUFTot: vDifUF vIBSUF
    IBSCBS/totCIBS/gIBS: vIBSTot
    IBSCBS/totCIBS/gTribCompraGov: vCBS vIBSMun vIBSUF
    IBSCBS/totCIBS/gTribRegular: vTribRegCBS vTribRegIBSMun vTribRegIBSUF
    IBSCBS/totCIBS: vTotNF
    IBSCBS/valores: vBC vCalcReeRepRes
    valores: vBC vCalcBM vCalcDR vISSQN vLiq vTotalRet
  `),
};

function paths(lines: string): readonly string[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [group = '', names = ''] = line.trim().split(': ');
      return names.split(' ').map((name) => `${group}/${name}`);
    });
}
