import type { EventFacts, XmlFacts, XmlFileKind } from '../domain/document-fact.js';

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
export type XmlKind = 'nfe' | 'nfe-event' | 'nfe-summary' | 'cte' | 'cte-event' | 'nfse' | 'nfse-event' | 'unknown';

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
  /** Where the facts of a document are; of several paths the first that has a text. */
  readonly facts?: FactPaths<keyof XmlFacts>;
  /** The same of an event. `code`: a path that ends in `*` gives the name of an element, such as `e101101`. */
  readonly event?: FactPaths<keyof EventFacts>;
  /** The answer of the authority: its element below the root, the key that it names, and the facts in it. */
  readonly protocol?: {
    readonly path: string;
    readonly key: string;
    readonly facts: Readonly<Record<string, keyof XmlFacts | keyof EventFacts>>;
  };
  /** The authority signs none. */
  readonly isUnsigned?: true;
}

type FactPaths<Name extends string> = Readonly<Partial<Record<Name, readonly string[]>>>;

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
  others: [...both('dest'), ...both('autXML'), ...both('transp/transporta'), ...both('retirada'), ...both('entrega')],
  facts: {
    series: ['ide/serie'],
    number: ['ide/nNF'],
    issuer: both('emit'),
    issuerName: ['emit/xNome'],
    recipient: both('dest'),
    recipientName: ['dest/xNome'],
    amountText: ['total/ICMSTot/vNF'],
  },
} as const;

const protocolFacts = { cStat: 'protocolCode', dhRecbto: 'authorizedOn' } as const;
const eventProtocolFacts = { cStat: 'answerCode', xMotivo: 'answerText', nProt: 'protocol' } as const;

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
  facts: {
    series: ['ide/serie'],
    number: ['ide/nCT'],
    issuer: both('emit'),
    issuerName: ['emit/xNome'],
    recipient: [...both('toma'), ...both('ide/toma4'), ...both('dest')],
    recipientName: ['toma/xNome', 'ide/toma4/xNome', 'dest/xNome'],
    amountText: ['vPrest/vTPrest', 'total/vTPrest'],
  },
} as const;

const nfeEvent = {
  kind: 'nfe-event',
  namespace: NFE,
  signed: 'infEvento',
  key: { path: 'chNFe' },
  issuedOn: ['dhEvento'],
  issuer: ['CNPJ', 'CPF'],
  others: [],
  event: { code: ['tpEvento'], sequence: ['nSeqEvento'], author: ['CNPJ', 'CPF'] },
} as const;

/** An event as the national environment tells it to others than its author and the parties. It is not signed. */
const nfeEventSummary: LayoutPaths = {
  ...nfeEvent,
  holder: '',
  signed: 'resEvento',
  event: { ...nfeEvent.event, protocol: ['nProt'] },
  isUnsigned: true,
};

const cteEvent = { ...nfeEvent, kind: 'cte-event', namespace: CTE, key: { path: 'chCTe' } } as const;

const nfse: LayoutPaths = {
  kind: 'nfse',
  namespace: NFSE,
  holder: 'NFSe',
  signed: 'infNFSe',
  key: { prefix: 'NFS' },
  issuedOn: ['DPS/infDPS/dhEmi'],
  issuer: both('emit'),
  others: [...both('DPS/infDPS/prest'), ...both('DPS/infDPS/toma'), ...both('DPS/infDPS/interm')],
  facts: {
    authorizedOn: ['dhProc'],
    competence: ['DPS/infDPS/dCompet'],
    series: ['DPS/infDPS/serie'],
    number: ['nNFSe'],
    issuer: both('emit'),
    issuerName: ['emit/xNome'],
    recipient: both('DPS/infDPS/toma'),
    recipientName: ['DPS/infDPS/toma/xNome'],
    amountText: ['DPS/infDPS/valores/vServPrest/vServ'],
  },
};

const request = 'pedRegEvento/infPedReg';

const nfseEvent: LayoutPaths = {
  kind: 'nfse-event',
  namespace: NFSE,
  holder: 'evento',
  signed: 'infEvento',
  key: { path: `${request}/chNFSe` },
  issuedOn: [`${request}/dhEvento`, 'dhProc'],
  issuer: [`${request}/CNPJAutor`, `${request}/CPFAutor`],
  others: [],
  event: {
    code: [`${request}/*`],
    sequence: ['nSeqEvento', `${request}/nPedRegEvento`],
    author: [`${request}/CNPJAutor`, `${request}/CPFAutor`],
    substituteKey: [`${request}/*/chSubstituta`],
  },
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
  facts: {
    authorizedOn: ['dhRecbto'],
    issuer: ['CNPJ', 'CPF'],
    issuerName: ['xNome'],
    amountText: ['vNF'],
    situation: ['cSitNFe'],
  },
  isUnsigned: true,
};

/** Each alone, or in the file with its protocol. */
const paths: readonly LayoutPaths[] = [
  { ...nfe, holder: 'nfeProc/NFe', protocol: protocolAt('protNFe/infProt', 'chNFe', protocolFacts) },
  { ...nfe, holder: 'NFe' },
  ...['CTe', 'CTeOS', 'CTeSimp', 'GTVe'].flatMap((name) => cteHolders(name)),
  {
    ...nfeEvent,
    holder: 'procEventoNFe/evento',
    protocol: protocolAt('retEvento/infEvento', 'chNFe', eventProtocolFacts),
  },
  { ...nfeEvent, holder: 'evento' },
  nfeEventSummary,
  {
    ...cteEvent,
    holder: 'procEventoCTe/eventoCTe',
    protocol: protocolAt('retEventoCTe/infEvento', 'chCTe', eventProtocolFacts),
  },
  { ...cteEvent, holder: 'eventoCTe' },
  nfse,
  nfseEvent,
  nfeSummary,
];

const layouts: readonly XmlLayout[] = paths.map((layout) => ({
  ...layout,
  signedPath: [...layout.holder.split('/'), layout.signed].filter((name) => name !== ''),
  fields: fieldSteps(fieldPaths(layout)),
  outerFields: fieldSteps(protocolPaths(layout)),
}));

/**
 * The layout of a root element; `undefined` for any other. Some programs wrap a document into a root without a namespace: that of the
 * signed element then tells.
 */
export function layoutOf(root: string, namespace: string): XmlLayout | undefined {
  const named = layouts.filter(({ signedPath }) => signedPath[0] === root && signedPath.length > 0);
  return namespace === ''
    ? named.find(({ signedPath }) => signedPath.length > 2)
    : named.find((layout) => layout.namespace === namespace);
}

function fieldPaths(layout: LayoutPaths): readonly string[] {
  const { key, issuedOn, issuer, others, facts = {}, event = {} } = layout;
  const ofFacts = [...Object.values(facts), ...Object.values(event)].flat();
  return [...('path' in key ? [key.path] : []), ...issuedOn, ...issuer, ...others, ...ofFacts];
}

function protocolPaths({ protocol }: LayoutPaths): readonly string[] {
  if (protocol === undefined) return [];
  return [protocol.key, ...Object.keys(protocol.facts)].map((name) => `${protocol.path}/${name}`);
}

function protocolAt(
  path: string,
  key: string,
  facts: NonNullable<LayoutPaths['protocol']>['facts'],
): NonNullable<LayoutPaths['protocol']> {
  return { path, key, facts };
}

function cteHolders(name: string): readonly LayoutPaths[] {
  const wrapper = name === 'GTVe' ? 'GTVeProc' : name.replace('CTe', 'cte') + 'Proc';
  return [
    { ...cte, holder: `${wrapper}/${name}`, protocol: protocolAt('protCTe/infProt', 'chCTe', protocolFacts) },
    { ...cte, holder: name },
  ];
}

function both(path: string): readonly [string, string] {
  return [`${path}/CNPJ`, `${path}/CPF`];
}
