import type { XmlFileKind } from '../domain/document-fact.js';

/** One element on the way to fields, so that a field is found by walking along with the reader instead of by its path. */
interface FieldStep {
  /** The path of the field that ends here. */
  readonly field?: string;
  readonly inside: ReadonlyMap<string, FieldStep>;
  readonly outer: FieldStep | undefined;
}

interface OpenStep {
  field?: string;
  readonly outer: OpenStep | undefined;
  readonly inside: Map<string, OpenStep>;
}

/** The steps to all of these paths. */
export function fieldSteps(paths: readonly string[]): FieldStep {
  const root: OpenStep = { inside: new Map(), outer: undefined };
  for (const path of paths) {
    let step = root;
    for (const name of path.split('/')) step = stepInto(step, name);
    step.field = path;
  }
  return root;
}

function stepInto(outer: OpenStep, name: string): OpenStep {
  const known = outer.inside.get(name);
  if (known !== undefined) return known;
  const step: OpenStep = { inside: new Map(), outer };
  outer.inside.set(name, step);
  return step;
}

/** Walks along with the reader, from the inside of the signed element. */
export class FieldWalk {
  /** So many of the open elements are off all ways. */
  #off = 0;
  #step: FieldStep | undefined;

  constructor(root: FieldStep) {
    this.#step = root;
  }

  open(name: string): void {
    const step = this.#off === 0 ? this.#step?.inside.get(name) : undefined;
    if (step === undefined) this.#off += 1;
    else this.#step = step;
  }

  close(): void {
    if (this.#off > 0) this.#off -= 1;
    else this.#step = this.#step?.outer;
  }

  /** The field whose text stands here. */
  get field(): string | undefined {
    return this.#off > 0 ? undefined : this.#step?.field;
  }
}

/** What an XML file of the archive is. */
export type XmlKind =
  | 'nfe'
  | 'nfe-event'
  | 'nfe-summary'
  | 'cte'
  | 'cte-event'
  | 'nfse'
  | 'nfse-event'
  | 'unknown';

/** `undefined`: the file is of no known layout. */
export function fileKindOf(kind: XmlKind): XmlFileKind | undefined {
  if (kind === 'unknown') return undefined;
  if (kind === 'nfe-summary') return 'summary';
  return kind.endsWith('-event') ? 'event' : 'full';
}

/** By the local name of the root element, for files that were inspected before. */
export function fileKindOfRoot(name: string): XmlFileKind | undefined {
  return fileKindOf(layouts.find(({ way }) => way[0] === name)?.kind ?? 'unknown');
}

/** Where the parts of a document stand. Paths are local names; those of fields begin at the signed element. */
interface LayoutPaths {
  readonly kind: XmlKind;
  readonly namespace: string;
  /** From the root to the element that holds the signed one and, beside it, the signature. */
  readonly holder: string;
  readonly signed: string;
  /** The prefix of the Id that is the access key, or the path to it. */
  readonly key: { readonly prefix: string } | { readonly path: string };
  readonly issuedOn: readonly string[];
  readonly issuer: readonly string[];
  /** Everyone else who has a right to the document. */
  readonly others: readonly string[];
  /** Of an event: where its code and its sequence stand. */
  readonly event?: { readonly code: string; readonly sequence: string };
  /** From within the root to the key in what the authority adds, its protocol, where the file carries it. */
  readonly protocolKey?: string;
}

/** A layout with what is made of its paths once, for all documents. */
export interface XmlLayout extends LayoutPaths {
  /** The names from the root to the signed element. The last but one is the holder. */
  readonly way: readonly string[];
  /** The steps to the fields that are taken, from the signed element. */
  readonly fields: FieldStep;
  /** The steps from the root to the fields beside the signed element. */
  readonly beside: FieldStep;
}

const NFE = 'http://www.portalfiscal.inf.br/nfe';
const CTE = 'http://www.portalfiscal.inf.br/cte';
const NFSE = 'http://www.sped.fazenda.gov.br/nfse';

const nfe = {
  kind: 'nfe',
  namespace: NFE,
  signed: 'infNFe',
  key: { prefix: 'NFe' },
  issuedOn: ['ide/dhEmi', 'ide/dEmi'],
  issuer: both('emit'),
  others: [
    ...both('dest'),
    ...both('autXML'),
    ...both('transp/transporta'),
    ...both('retirada'),
    ...both('entrega'),
  ],
} as const;

const cte = {
  kind: 'cte',
  namespace: CTE,
  signed: 'infCte',
  key: { prefix: 'CTe' },
  issuedOn: ['ide/dhEmi'],
  issuer: both('emit'),
  others: [
    ...both('rem'),
    ...both('exped'),
    ...both('receb'),
    ...both('dest'),
    ...both('toma'),
    ...both('ide/toma4'),
    ...both('autXML'),
  ],
} as const;

const nfeEvent = {
  kind: 'nfe-event',
  namespace: NFE,
  signed: 'infEvento',
  key: { path: 'chNFe' },
  issuedOn: ['dhEvento'],
  issuer: ['CNPJ', 'CPF'],
  others: [],
  event: { code: 'tpEvento', sequence: 'nSeqEvento' },
} as const;

const cteEvent = { ...nfeEvent, kind: 'cte-event', namespace: CTE, key: { path: 'chCTe' } } as const;

const nfse: LayoutPaths = {
  kind: 'nfse',
  namespace: NFSE,
  holder: 'NFSe',
  signed: 'infNFSe',
  key: { prefix: 'NFS' },
  issuedOn: ['dhProc', 'DPS/infDPS/dhEmi'],
  issuer: both('emit'),
  others: [...both('DPS/infDPS/prest'), ...both('DPS/infDPS/toma'), ...both('DPS/infDPS/interm')],
};

const nfseEvent: LayoutPaths = {
  kind: 'nfse-event',
  namespace: NFSE,
  holder: 'evento',
  signed: 'infEvento',
  key: { path: 'pedRegEvento/infPedReg/chNFSe' },
  issuedOn: ['dhProc', 'pedRegEvento/infPedReg/dhEvento'],
  issuer: ['pedRegEvento/infPedReg/CNPJAutor', 'pedRegEvento/infPedReg/CPFAutor'],
  others: [],
};

/** The summary that the national environment gives before the manifestation. It bears no signature. */
const nfeSummary: LayoutPaths = {
  kind: 'nfe-summary',
  namespace: NFE,
  holder: '',
  signed: 'resNFe',
  key: { path: 'chNFe' },
  issuedOn: ['dhEmi'],
  issuer: ['CNPJ', 'CPF'],
  others: [],
};

/** Alone or within the file that carries the protocol too. */
const paths: readonly LayoutPaths[] = [
  { ...nfe, holder: 'nfeProc/NFe', protocolKey: 'protNFe/infProt/chNFe' },
  { ...nfe, holder: 'NFe' },
  ...['CTe', 'CTeOS', 'CTeSimp', 'GTVe'].flatMap((name) => cteHolders(name)),
  { ...nfeEvent, holder: 'procEventoNFe/evento', protocolKey: 'retEvento/infEvento/chNFe' },
  { ...nfeEvent, holder: 'evento' },
  { ...cteEvent, holder: 'procEventoCTe/eventoCTe', protocolKey: 'retEventoCTe/infEvento/chCTe' },
  { ...cteEvent, holder: 'eventoCTe' },
  nfse,
  nfseEvent,
  nfeSummary,
];

const layouts: readonly XmlLayout[] = paths.map((layout) => ({
  ...layout,
  way: [...layout.holder.split('/'), layout.signed].filter((name) => name !== ''),
  fields: fieldSteps(fieldPaths(layout)),
  beside: fieldSteps(layout.protocolKey === undefined ? [] : [layout.protocolKey]),
}));

/** The layout of a root element; `undefined` for any other. */
export function layoutOf(root: string, namespace: string): XmlLayout | undefined {
  return layouts.find((layout) => layout.way[0] === root && layout.namespace === namespace);
}

function fieldPaths({ key, issuedOn, issuer, others, event }: LayoutPaths): readonly string[] {
  const ofEvent = event === undefined ? [] : [event.code, event.sequence];
  return [...('path' in key ? [key.path] : []), ...issuedOn, ...issuer, ...others, ...ofEvent];
}

function cteHolders(name: string): readonly LayoutPaths[] {
  const wrapper = name === 'GTVe' ? 'GTVeProc' : name.replace('CTe', 'cte') + 'Proc';
  return [
    { ...cte, holder: `${wrapper}/${name}`, protocolKey: 'protCTe/infProt/chCTe' },
    { ...cte, holder: name },
  ];
}

function both(path: string): readonly [string, string] {
  return [`${path}/CNPJ`, `${path}/CPF`];
}
