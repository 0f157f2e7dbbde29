import { SignedXml } from 'xml-crypto';
import { testSigner, type TestSigner } from './certificate.js';

export const NFE_KEY = '35250530057049000141550010000280181030656857';
export const CTE_KEY = '35250530057049000141570010000280181030656855';
export const NFSE_KEY = '21113002200574753000100000000000146726037032711025';
export const NFE_NS = 'http://www.portalfiscal.inf.br/nfe';
const CTE_NS = 'http://www.portalfiscal.inf.br/cte';
const NFSE_NS = 'http://www.sped.fazenda.gov.br/nfse';
export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

export const signer = testSigner();

export interface Signing {
  /** XPath of the element to be signed. */
  readonly of: string;
  /** XPath of the element that gets the signature as its last child. */
  readonly into: string;
  readonly hash?: 'sha1' | 'sha256';
  /** Of what is signed and of `SignedInfo`; absent: Canonical XML. */
  readonly form?: string;
  /** The transform of the form comes first. */
  readonly isFormFirst?: boolean;
  readonly prefixes?: readonly string[];
  readonly by?: TestSigner;
}

/** Signs with the library, which canonicalises in its own way: an independent witness. */
export function sign(xml: string, signing: Signing): string {
  const { of, into, hash = 'sha1', by = signer, form = C14N, isFormFirst = false, prefixes = [] } = signing;
  const more = 'http://www.w3.org/2001/04/';
  const signed = new SignedXml({
    privateKey: by.privateKey.export({ type: 'pkcs1', format: 'pem' }),
    publicCert: by.pem,
    canonicalizationAlgorithm: form,
    signatureAlgorithm: hash === 'sha1' ? `${DSIG}rsa-sha1` : `${more}xmldsig-more#rsa-sha256`,
  });
  signed.addReference({
    xpath: of,
    digestAlgorithm: hash === 'sha1' ? `${DSIG}sha1` : `${more}xmlenc#sha256`,
    transforms: isFormFirst ? [form, `${DSIG}enveloped-signature`] : [`${DSIG}enveloped-signature`, form],
    inclusiveNamespacesPrefixList: [...prefixes],
  });
  signed.computeSignature(xml, { location: { reference: into, action: 'append' } });
  return signed.getSignedXml();
}

export const nfeSigning: Signing = { of: "//*[local-name(.)='infNFe']", into: "//*[local-name(.)='NFe']" };

export function nfe(options: { readonly filler?: string; readonly dest?: string } = {}): string {
  const { filler = '', dest = '33000167000101' } = options;
  return (
    `<nfeProc xmlns="${NFE_NS}" versao="4.00"><NFe xmlns="${NFE_NS}"><infNFe versao="4.00" Id="NFe${NFE_KEY}">` +
    `<ide><cUF>35</cUF><dhEmi>2026-10-05T10:00:00-03:00</dhEmi></ide>` +
    `<emit><CNPJ>30057049000141</CNPJ><xNome>A &amp; B &lt;Ltda&gt; "São"</xNome></emit>` +
    `<dest><CNPJ>${dest}</CNPJ></dest><autXML><CNPJ>11222333000181</CNPJ></autXML>` +
    `<autXML><CPF>52998224725</CPF></autXML>${filler}` +
    `<infAdic xmlns:x="urn:x" x:b="2" a="tab&#9;line&#10;quot&quot;"><x:y/>a\r\nb&#13;</infAdic></infNFe></NFe>` +
    `<protNFe versao="4.00"><infProt><chNFe>${NFE_KEY}</chNFe></infProt></protNFe></nfeProc>`
  );
}

/** As the national environment gives it before the manifestation of the recipient (facts of NT 2014.002: resNFe 1.01). */
export function nfeSummary({ key = NFE_KEY, situation = '1' } = {}): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><resNFe xmlns="${NFE_NS}" versao="1.01"><chNFe>${key}</chNFe>` +
    `<CNPJ>30057049000141</CNPJ><xNome>A Ltda</xNome><IE>111111111111</IE><dhEmi>2026-10-05T10:00:00-03:00</dhEmi>` +
    `<tpNF>1</tpNF><vNF>100.00</vNF><digVal>3l0fqJqp3bq8WT6wH4HPrDxYz8Q=</digVal>` +
    `<dhRecbto>2026-10-05T10:01:00-03:00</dhRecbto><nProt>135260000000001</nProt><cSitNFe>${situation}</cSitNFe></resNFe>`
  );
}

export function signedNfe(options: Parameters<typeof nfe>[0] = {}): string {
  return sign(nfe(options), nfeSigning);
}

export function signedCte(): string {
  const xml =
    `<cteProc xmlns="${CTE_NS}" versao="4.00"><CTe><infCte versao="4.00" Id="CTe${CTE_KEY}">` +
    `<ide><dhEmi>2026-10-06T10:00:00-03:00</dhEmi><toma4><CNPJ>11222333000181</CNPJ></toma4></ide>` +
    `<emit><CNPJ>30057049000141</CNPJ></emit><rem><CNPJ>33000167000101</CNPJ></rem></infCte></CTe></cteProc>`;
  return sign(xml, { of: "//*[local-name(.)='infCte']", into: "//*[local-name(.)='CTe']" });
}

/** The declaration of the issuer inside the note bears a signature of its own. */
export function signedNfse(how: Partial<Signing> & { readonly comment?: string } = {}): string {
  const xml = nfse().replace('<dhProc>', `${how.comment ?? ''}<dhProc>`);
  const inner = sign(xml, { of: "//*[local-name(.)='infDPS']", into: "//*[local-name(.)='DPS']" });
  return sign(inner, { of: "//*[local-name(.)='infNFSe']", into: '/*', hash: 'sha256', ...how });
}

function nfse(): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<NFSe xmlns="${NFSE_NS}" versao="1.01"><infNFSe Id="NFS${NFSE_KEY}">` +
    `<emit><CNPJ>00574753000100</CNPJ></emit><dhProc>2026-10-07T10:00:00-03:00</dhProc>` +
    `<DPS versao="1.01"><infDPS Id="DPS211130020057475300010000001000000000000146"><dhEmi>2026-10-07T09:59:00-03:00</dhEmi>` +
    `<prest><CNPJ>00574753000100</CNPJ></prest><toma><CNPJ>11222333000181</CNPJ></toma></infDPS></DPS></infNFSe></NFSe>`
  );
}

export function signedNfeEvent(): string {
  const xml =
    `<procEventoNFe xmlns="${NFE_NS}" versao="1.00"><evento versao="1.00"><infEvento Id="ID110111${NFE_KEY}01">` +
    `<cOrgao>35</cOrgao><CNPJ>30057049000141</CNPJ><chNFe>${NFE_KEY}</chNFe><dhEvento>2026-10-08T10:00:00-03:00</dhEvento>` +
    `</infEvento></evento><retEvento versao="1.00"><infEvento><chNFe>${NFE_KEY}</chNFe></infEvento></retEvento></procEventoNFe>`;
  return sign(xml, {
    of: "//*[local-name(.)='evento']/*[local-name(.)='infEvento']",
    into: "//*[local-name(.)='evento']",
  });
}

export function signedCteEvent(): string {
  const xml =
    `<procEventoCTe xmlns="${CTE_NS}" versao="4.00"><eventoCTe versao="4.00"><infEvento Id="ID110111${CTE_KEY}001">` +
    `<CNPJ>30057049000141</CNPJ><chCTe>${CTE_KEY}</chCTe><dhEvento>2026-10-08T10:00:00-03:00</dhEvento>` +
    `</infEvento></eventoCTe></procEventoCTe>`;
  return sign(xml, { of: "//*[local-name(.)='infEvento']", into: "//*[local-name(.)='eventoCTe']" });
}

export function signedNfseEvent(): string {
  const xml =
    `<evento xmlns="${NFSE_NS}" versao="1.01"><infEvento Id="EVT${NFSE_KEY}101101001"><dhProc>2026-10-09T10:00:00-03:00</dhProc>` +
    `<pedRegEvento versao="1.01"><infPedReg Id="PRE${NFSE_KEY}101101"><dhEvento>2026-10-09T09:59:00-03:00</dhEvento>` +
    `<CNPJAutor>00574753000100</CNPJAutor><chNFSe>${NFSE_KEY}</chNFSe></infPedReg></pedRegEvento></infEvento></evento>`;
  return sign(xml, { of: "//*[local-name(.)='infEvento']", into: '/*' });
}
