import type { XmlFileKind } from '../domain/document-fact.js';

/** A node in the tree of field paths, which is walked along with the reader. */
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

/** The tree of these paths. `*` in a path is any element that the tree does not name. */
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

/** Follows the reader through the tree of field paths. */
export class FieldWalk {
  /** The number of open elements outside the tree. */
  #outside = 0;
  #step: FieldStep | undefined;

  constructor(root: FieldStep) {
    this.#step = root;
  }

  open(name: string): void {
    const inside = this.#outside === 0 ? this.#step?.inside : undefined;
    const step = inside?.get(name) ?? inside?.get('*');
    if (step === undefined) this.#outside += 1;
    else this.#step = step;
  }

  close(): void {
    if (this.#outside > 0) this.#outside -= 1;
    else this.#step = this.#step?.outer;
  }

  /** The path of the field at the current position. */
  get field(): string | undefined {
    return this.#outside > 0 ? undefined : this.#step?.field;
  }
}

/** The kind of an XML file. */
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

/** By the local name of the root element, for files that were inspected earlier. */
export function fileKindOfRoot(name: string): XmlFileKind | undefined {
  return fileKindOf(layouts.find(({ signedPath }) => signedPath[0] === name)?.kind ?? 'unknown');
}

/** Where a layout has its parts. Paths are local names; those of fields start at the signed element. */
interface LayoutPaths {
  readonly kind: XmlKind;
  readonly namespace: string;
  /** From the root to the element that contains the signed element and the signature. */
  readonly holder: string;
  readonly signed: string;
  /** The prefix before the access key in the Id, or the path of the access key. */
  readonly key: { readonly prefix: string } | { readonly path: string };
  readonly issuedOn: readonly string[];
  readonly issuer: readonly string[];
  /** Everyone else with a right to the document. */
  readonly others: readonly string[];
  /** Of an event: the paths of its code and its sequence. */
  readonly event?: { readonly code: string; readonly sequence: string };
  /** From below the root to the access key in the protocol of the authority, if the layout has one. */
  readonly protocolKey?: string;
}

/** A layout with its paths prepared for the reader. */
export interface XmlLayout extends LayoutPaths {
  /** The names from the root to the signed element. The last but one is the holder. */
  readonly signedPath: readonly string[];
  /** The fields inside the signed element. */
  readonly fields: FieldStep;
  /** The fields outside the signed element, from the root. */
  readonly outerFields: FieldStep;
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

/** The summary that the national environment returns before the manifestation. It is not signed. */
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

/** Each alone, or in the file with its protocol. */
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
  signedPath: [...layout.holder.split('/'), layout.signed].filter((name) => name !== ''),
  fields: fieldSteps(fieldPaths(layout)),
  outerFields: fieldSteps(layout.protocolKey === undefined ? [] : [layout.protocolKey]),
}));

/** The layout of a root element; `undefined` for any other. */
export function layoutOf(root: string, namespace: string): XmlLayout | undefined {
  return layouts.find((layout) => layout.signedPath[0] === root && layout.namespace === namespace);
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
