import { type AnswerShape, answerShapes } from '../../contract/answers.js';
import type { HostName, KeyKind, Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { Client, Look } from '../../client/client.js';
import { expandPath } from '../../client/prepared.js';
import type { Text } from '../../contract/text.js';
import { requiredFilter } from '../../domain/odata.js';
import { FiscalError } from '../../errors/fiscal-error.js';

type Query = Readonly<Record<string, string | number>>;

export function operationOf(id: OperationId): Operation {
  return operations[id];
}

export function shapeOf(id: OperationId): AnswerShape {
  return answerShapes[id];
}

export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/**
 * The operations that may be asked: reads that nothing bills and that change nothing. Look-ups are left out, since each
 * of them is a query of a registry.
 */
export function harmlessReads(): readonly OperationId[] {
  return allOperations().filter((id) => {
    const { method, billed } = operationOf(id);
    const isJson = ['list', 'object'].includes(shapeOf(id).is) || otherRoutes[id] !== undefined;
    return method === 'GET' && billed === null && isJson && !id.startsWith('lookup.');
  });
}

export function allOperations(): readonly OperationId[] {
  return Object.keys(operations).filter((id): id is OperationId => id in operations);
}

const company = '/v2/companies/{companyId}';

/** Where a service of this kind has the same operation at another path: published, or named by the service document. */
export const otherRoutes: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  'nfe.inbound.list': [`${company}/inbound/odata/ProductInvoices`],
  'nfe.inbound.get': [`${company}/inbound/productinvoices/{accessKey}`, `${company}/inbound/{accessKey}`],
  'nfe.inbound.xml': [`${company}/inbound/{accessKey}/xml`],
  'nfe.inbound.pdf': [`${company}/inbound/{accessKey}/pdf`],
  'nfe.list': ['/v3/companies/{companyId}/productinvoices'],
  'nfce.list': ['/v3/companies/{companyId}/consumerinvoices'],
  'nfse.list': ['/v3/companies/{companyId}/serviceinvoices'],
  'webhook.eventTypes': ['/v2/webhooks/eventTypes'],
  'lookup.cnpj': ['/v3/legalentities/basicInfo/{numero}', '/v2/legalentities/basicInfo/{numero}'],
};

/** The route of the recipient's event, and the same below the company (assumed). Both take only POST. */
export const manifestationRoutes = [
  operations['nfe.manifestation.submit'].path,
  `${company}/inbound/productinvoices/by-access-key/{accessKey}/manifestation-events`,
  `${company}/productinvoices/by-access-key/{accessKey}/manifestation-events`,
] as const;

/** A path below the same folder that no service has: what it answers, every path there may. */
export function nonexistentBeside(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}no-such-route`;
}

/** No note has this key: its check digit is wrong. */
export const noAccessKey = '1'.repeat(44);

/** No company has this id; it fills a path until one is known. */
const noCompany = '00000000-0000-0000-0000-000000000000';

/**
 * What is asked at each host to see whether it answers and takes the key. A look-up is asked about "0", which is no
 * CNPJ, CPF, CEP or key: there is nothing to look up, and nothing to bill.
 */
export const hostQuestions: Readonly<
  Record<HostName, { readonly operation: OperationId; readonly values: Readonly<Record<string, string>> }>
> = {
  product: { operation: 'company.list', values: {} },
  service: { operation: 'nfse.list', values: { companyId: noCompany } },
  query: { operation: 'lookup.nfe', values: { accessKey: '0' } },
  legalEntity: { operation: 'lookup.cnpj', values: { numero: '0' } },
  naturalPerson: { operation: 'lookup.cpf', values: { cpf: '0', birthDate: '1900-01-01' } },
  address: { operation: 'lookup.address', values: { postalCode: '0' } },
};

const onePage = { pageIndex: 1, pageCount: 1 };
const inEachEnvironment = [
  { environment: 'Production', limit: 1 },
  { environment: 'Test', limit: 1 },
];

/** Queries that ask for one row. A list is asked by the next one as long as none came. */
const listQueries: Readonly<Partial<Record<OperationId, readonly Query[]>>> = {
  'company.list': [{ limit: 1 }],
  'nfe.list': inEachEnvironment,
  'nfce.list': inEachEnvironment,
  'nfse.list': [onePage],
  'nfse.inbound.companies': [onePage],
  'nfse.inbound.list': [onePage],
  'nfse.notifications': [onePage],
  'tax.codes': [onePage],
};

export function queriesOf(id: OperationId): readonly Query[] {
  const isOdata = /^(?:nfe|cte)\.inbound\.(?:list|events)$/.test(id);
  return listQueries[id] ?? (isOdata ? [{ $top: 1 }] : [{}]);
}

/** The row of another list that gives the value of a parameter. */
interface Source {
  readonly list: OperationId;
  readonly fields: readonly string[];
}

/** Where the value of a parameter comes from; `undefined`: nothing here knows one. */
export function sourceOf(id: OperationId, parameter: string): Source | undefined {
  const [family = ''] = id.split('.');
  switch (parameter) {
    case 'accessKey':
      return sourceIn(`${family}.inbound.list`, ['accessKey']);
    case 'idOrAccessKey':
      return sourceIn('nfse.inbound.list', ['id', 'accessKey']);
    case 'invoiceId':
      return sourceIn(`${family}.list`, ['id']);
    case 'id':
      return id === 'nfse.get' ? sourceIn('nfse.list', ['id']) : undefined;
    case 'thumbprint':
      return sourceIn('certificate.list', ['thumbprint']);
    default:
      // `{webhookId}` is the id of a row of `webhook.list`.
      return parameter.endsWith('Id') ? sourceIn(`${parameter.slice(0, -2)}.list`, ['id']) : undefined;
  }
}

/** Whether each parameter of the path is fixed, the company, or in a row of some list. */
export function mayBeFilled(id: OperationId, path: string): boolean {
  const isKnown = (name: string): boolean => name === 'companyId' || Object.hasOwn(fixedValues, name);
  return parametersOf(path).every((name) => isKnown(name) || sourceOf(id, name) !== undefined);
}

function sourceIn(list: string, fields: readonly string[]): Source | undefined {
  const id = allOperations().find((each) => each === list);
  return id === undefined ? undefined : { list: id, fields };
}

/** Values that need no answer of the service. */
export const fixedValues: Readonly<Record<string, string>> = { list: 'operation-code' };

/** One request of the probe and what came of it. */
export interface Evidence {
  readonly host: HostName;
  /** Which key was sent; `null`: none. */
  readonly key: KeyKind | null;
  /** e.g. `GET /v2/companies?limit=1`. */
  readonly asked: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** The code of the error when no answer came. */
  readonly error?: string;
}

export interface Question {
  readonly operation: OperationId;
  readonly host: HostName;
  readonly key: KeyKind | null;
  /** A path template. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly query?: Query;
}

/** `failure`: no answer came, and why. */
export type Asked = { readonly evidence: Evidence; readonly origin: string } & (
  | { readonly look: Look }
  | { readonly look?: undefined; readonly failure: Text }
);

/** A look and the operation that it was for, in the order of asking. */
interface Seen {
  readonly operation: OperationId;
  readonly host: HostName;
  readonly look: Look;
}

/** Asks one question after another, and keeps what came. A host that cannot be reached is asked only once. */
export class Asker {
  readonly seen: Seen[] = [];
  readonly #unreachable = new Map<string, Text>();

  constructor(
    private readonly client: Client,
    private readonly interruption: AbortSignal,
  ) {}

  /** The address, its path and query as they are sent, and for people. */
  async asked({
    path,
    values,
    query,
    host,
  }: Question): Promise<{ readonly url: URL; readonly path: string; readonly shown: string }> {
    const filled = expandPath(path, values);
    const plain = await this.client.previewRaw({ method: 'GET', host, path: filled, key: 'invoice' });
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) words.set(name, String(value));
    const filter = requiredFilter(new URL(plain.url));
    if (filter !== undefined) words.set('$filter', filter);
    const full = words.size === 0 ? filled : `${filled}?${words.toString()}`;
    return { url: new URL(plain.url), path: full, shown: `GET ${full.replaceAll('%24', '$')}` };
  }

  /** Throws the error of an interrupted run; everything else is an answer. */
  async ask(question: Question): Promise<Asked> {
    const { host, key, operation } = question;
    const { url, path, shown } = await this.asked(question);
    const evidence: Evidence = { host, key, asked: shown };
    const { origin } = url;
    const dead = this.#unreachable.get(origin);
    if (dead !== undefined) return { evidence, origin, failure: dead };
    try {
      const signal = this.interruption;
      const look = await this.client.look({ host, path, ...(key === null ? {} : { key }) }, { signal });
      this.seen.push({ operation, host, look });
      return { evidence: { ...evidence, status: look.status }, origin, look };
    } catch (error) {
      if (!(error instanceof FiscalError) || this.interruption.aborted) throw error;
      if (error.facts.sent === 'no') this.#unreachable.set(origin, error.text);
      return { evidence: { ...evidence, error: error.code }, origin, failure: error.text };
    }
  }
}
