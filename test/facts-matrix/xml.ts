/** The least of each layout that tells what the matrix asks for. */

interface Written {
  readonly key: string;
  /** `undefined`: the element is missing. */
  readonly written: string | undefined;
  readonly amount: string;
  readonly issuer: string;
  readonly recipient: string;
}

interface Answered extends Written {
  readonly received: string;
  readonly answer: string;
}

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const nfeSpace = 'xmlns="http://www.portalfiscal.inf.br/nfe"';
const cteSpace = 'xmlns="http://www.portalfiscal.inf.br/cte"';
const nfseSpace = 'xmlns="http://www.sped.fazenda.gov.br/nfse"';

function issued(written: string | undefined): string {
  return written === undefined ? '' : `<dhEmi>${written}</dhEmi>`;
}

export function nfe(note: Answered & { readonly carrier?: string }): string {
  const { key, amount } = note;
  const transport = note.carrier === undefined ? '' : `<transporta><CNPJ>${note.carrier}</CNPJ></transporta>`;
  return (
    `${head}<nfeProc ${nfeSpace} versao="4.00"><NFe><infNFe versao="4.00" Id="NFe${key}">` +
    `<ide><cUF>${key.slice(0, 2)}</cUF><mod>55</mod><serie>1</serie><nNF>${Number(key.slice(25, 34))}</nNF>${issued(note.written)}</ide>` +
    `<emit><CNPJ>${note.issuer}</CNPJ><xNome>Fornecedor</xNome></emit><dest><CNPJ>${note.recipient}</CNPJ></dest>` +
    `<det nItem="1"><prod><cProd>1</cProd><xProd>P</xProd><vProd>${amount}</vProd><indTot>1</indTot></prod></det>` +
    `<total><ICMSTot><vProd>${amount}</vProd><vNF>${amount}</vNF></ICMSTot></total><transp><modFrete>0</modFrete>${transport}</transp>` +
    `</infNFe></NFe>${protocol('NFe', note)}</nfeProc>`
  );
}

function protocol(model: 'NFe' | 'CTe', { key, received, answer }: Answered): string {
  return (
    `<prot${model} versao="4.00"><infProt><ch${model}>${key}</ch${model}><dhRecbto>${received}</dhRecbto>` +
    `<nProt>135260000000001</nProt><cStat>${answer}</cStat><xMotivo>x</xMotivo></infProt></prot${model}>`
  );
}

export function summary(note: Written & { readonly received: string; readonly situation: string }): string {
  return (
    `<resNFe ${nfeSpace} versao="1.01"><chNFe>${note.key}</chNFe><CNPJ>${note.issuer}</CNPJ><xNome>Fornecedor</xNome>` +
    `<IE>1</IE>${issued(note.written)}<tpNF>1</tpNF><vNF>${note.amount}</vNF><digVal>x</digVal>` +
    `<dhRecbto>${note.received}</dhRecbto><nProt>135260000000001</nProt><cSitNFe>${note.situation}</cSitNFe></resNFe>`
  );
}

export function cte(note: Answered): string {
  const { key } = note;
  return (
    `${head}<cteProc ${cteSpace} versao="4.00"><CTe><infCte versao="4.00" Id="CTe${key}">` +
    `<ide><mod>57</mod><serie>1</serie><nCT>${Number(key.slice(25, 34))}</nCT>${issued(note.written)}</ide>` +
    `<emit><CNPJ>${note.issuer}</CNPJ><xNome>Transportadora</xNome></emit><dest><CNPJ>${note.recipient}</CNPJ></dest>` +
    `<vPrest><vTPrest>${note.amount}</vTPrest><vRec>${note.amount}</vRec></vPrest></infCte></CTe>${protocol('CTe', note)}</cteProc>`
  );
}

export function nfse(note: Written & { readonly competence: string }): string {
  return (
    `${head}<NFSe ${nfseSpace} versao="1.01"><infNFSe Id="NFS${note.key}"><nNFSe>${Number(note.key.slice(23, 36))}</nNFSe>` +
    `<dhProc>2026-11-02T10:00:00-03:00</dhProc><emit><CNPJ>${note.issuer}</CNPJ></emit><valores><vLiq>${note.amount}</vLiq></valores>` +
    `<DPS versao="1.01"><infDPS Id="x">${issued(note.written)}<dCompet>${note.competence}</dCompet>` +
    `<prest><CNPJ>${note.issuer}</CNPJ></prest><toma><CNPJ>${note.recipient}</CNPJ></toma>` +
    `<valores><vServPrest><vServ>${note.amount}</vServ></vServPrest></valores></infDPS></DPS></infNFSe></NFSe>`
  );
}

interface Happened {
  readonly key: string;
  readonly code: string;
  readonly author: string;
}

export function event({
  family,
  key,
  code,
  author,
  answer,
}: Happened & { readonly family: 'nfe' | 'cte'; readonly answer: string | undefined }): string {
  const model = family === 'nfe' ? 'NFe' : 'CTe';
  const inner = `<ch${model}>${key}</ch${model}>`;
  const told = answer === undefined ? '' : `<cStat>${answer}</cStat>`;
  const [root, sequence] = family === 'nfe' ? ['evento', '01'] : ['eventoCTe', '001'];
  return (
    `${head}<procEvento${model} ${family === 'nfe' ? nfeSpace : cteSpace} versao="1.00"><${root} versao="1.00">` +
    `<infEvento Id="ID${code}${key}${sequence}"><CNPJ>${author}</CNPJ>${inner}<dhEvento>2026-11-03T10:00:00-03:00</dhEvento>` +
    `<tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento><detEvento versao="1.00"><descEvento>x</descEvento></detEvento></infEvento></${root}>` +
    `<retEvento${family === 'nfe' ? '' : 'CTe'} versao="1.00"><infEvento>${told}${inner}<tpEvento>${code}</tpEvento></infEvento>` +
    `</retEvento${family === 'nfe' ? '' : 'CTe'}></procEvento${model}>`
  );
}

export function eventSummary({ key, code, author }: Happened): string {
  return (
    `<resEvento ${nfeSpace} versao="1.01"><cOrgao>91</cOrgao><CNPJ>${author}</CNPJ><chNFe>${key}</chNFe>` +
    `<dhEvento>2026-11-03T10:00:00-03:00</dhEvento><tpEvento>${code}</tpEvento><nSeqEvento>1</nSeqEvento><xEvento>x</xEvento>` +
    `<dhRecbto>2026-11-03T10:00:01-03:00</dhRecbto><nProt>135260000000002</nProt></resEvento>`
  );
}

export function nationalEvent({ key, code, author }: Happened): string {
  return (
    `${head}<evento ${nfseSpace} versao="1.01"><infEvento Id="EVT${key}${code}001"><verAplic>1</verAplic><ambGer>2</ambGer>` +
    `<nSeqEvento>001</nSeqEvento><dhProc>2026-11-03T10:00:00-03:00</dhProc><nDFSe>1</nDFSe><pedRegEvento versao="1.01">` +
    `<infPedReg Id="PRE${key}${code}"><tpAmb>1</tpAmb><verAplic>1</verAplic><dhEvento>2026-11-03T09:59:00-03:00</dhEvento>` +
    `<CNPJAutor>${author}</CNPJAutor><chNFSe>${key}</chNFSe><e${code}><xDesc>x</xDesc><cMotivo>1</cMotivo><xMotivo>x</xMotivo></e${code}>` +
    `</infPedReg></pedRegEvento></infEvento></evento>`
  );
}
