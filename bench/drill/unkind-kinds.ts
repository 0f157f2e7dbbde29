import { look } from '../../scripts/quickstart/look.js';
import { samples } from '../../src/commands/invoice/samples.js';
import { type OperationId, operations } from '../../src/contract/operations.js';
import { accessKey } from './access-keys.js';

type Effect = Readonly<Record<string, unknown>>;

/** One kind of thing that two machines import. */
export interface UnkindKind {
  /** The first one sends; faults strike all of them. */
  readonly operations: readonly [OperationId, ...OperationId[]];
  readonly words: readonly string[];
  readonly file: string;
  readonly header: string;
  row(index: number): string;
  /** The name of the thing at that place of the file. */
  name(index: number): string;
  /** What came into being by this line of the ledger, if it is of this kind. */
  nameOf(effect: Effect): string | undefined;
  /** Which thing a request wants; the body is that of the send operation. */
  wanted(path: string, body: unknown): string | undefined;
  /** Reads one thing by its id. */
  readonly read: OperationId;
  readonly done: readonly string[];
  readonly ended: readonly string[];
  /** Rules of the far side: some of the things end badly. */
  readonly rules: { readonly path: string; readonly rule: Readonly<Record<string, unknown>> } | undefined;
  /**
   * `own`: each machine sends things of its own, for nothing at the service tells two stores of each other. `both`: the same at once, the
   * service refuses a second one. `turns`: the same, one machine after the other, for who looks first cannot see what is still under way.
   */
  readonly sharing: 'own' | 'both' | 'turns';
  /** What of these things the service shows to who looks for one whose id was never heard: an event that was rejected stands in no list. */
  readonly shows: 'nothing' | 'all' | 'done';
}

const REJECTED = 0.15;

export const unkindKinds = {
  manifestations: {
    operations: ['nfe.manifestation.submit', 'nfe.manifestation.get', 'nfe.inbound.events'],
    words: ['manifestation', 'apply', '--company-unchecked'],
    file: 'events.csv',
    header: 'accessKey,event\n',
    row: (index) => `${accessKey(index)},210210`,
    name: accessKey,
    nameOf: ({ created, accessKey: key }) => (created === 'nfe-manifestation' ? String(key) : undefined),
    wanted: (path) => /\/by-access-key\/(\d{44})\/manifestation-events$/.exec(path)?.[1],
    read: 'nfe.manifestation.get',
    done: ['Accepted'],
    ended: ['Rejected', 'Failed'],
    rules: { path: 'authority', rule: { outcome: 'reject', rate: REJECTED } },
    sharing: 'both',
    shows: 'done',
  },
  products: {
    operations: ['product.create', 'product.get'],
    words: ['product', 'apply', '--create-only'],
    file: 'products.csv',
    header: 'sku,description,origin\n',
    row: (index) => `SKU-${index},Product ${index},National`,
    name: (index) => `SKU-${index}`,
    nameOf: ({ created, sku }) => (created === 'product' && sku !== 'BENCH' ? String(sku) : undefined),
    wanted: (path, body) => (path.endsWith('/products') ? textOf(body, 'sku') : undefined),
    read: 'product.get',
    done: ['Active'],
    ended: ['Error'],
    rules: undefined,
    sharing: 'own',
    shows: 'nothing',
  },
  nfe: { ...invoices('nfe', /\/productinvoices$/), operations: ['nfe.issue', 'nfe.get', 'nfe.list'], read: 'nfe.get' },
  nfse: {
    ...invoices('nfse', /\/serviceinvoices$/),
    operations: ['nfse.issue', 'nfse.get', 'nfse.getByExternalId'],
    read: 'nfse.get',
  },
} as const satisfies Readonly<Record<string, UnkindKind>>;

function invoices(model: 'nfe' | 'nfse', path: RegExp) {
  return {
    words: ['invoice', 'apply', '--model', model],
    file: `${model}.ndjson`,
    header: '',
    row: (index: number) => JSON.stringify({ ...samples[model], ...orderOf(`ORDER-${index}`) }),
    name: (index: number) => `ORDER-${index}`,
    nameOf: ({ issued, externalId, order }: Effect) => (issued === model ? String(externalId ?? order) : undefined),
    wanted: (asked: string, body: unknown) =>
      path.test(asked) ? (textOf(body, 'externalId') ?? textOf(body, 'additionalInformation.order')) : undefined,
    done: ['Issued'],
    ended: ['IssueFailed', 'IssueDenied', 'Error'],
    rules: { path: 'outcomes', rule: { family: model, outcome: 'failed', rate: REJECTED } },
    sharing: 'turns',
    shows: 'all',
  } as const;
}

/** The body of an NF-e carries the order number where its published form has a field for it. */
function orderOf(name: string) {
  return { externalId: name, additionalInformation: { order: name } };
}

/** The address of one thing, at the sandbox's one host. */
export function pathOf({ read }: UnkindKind, env: NodeJS.ProcessEnv, id: string): string {
  const words: Readonly<Record<string, string | undefined>> = {
    tenantId: env['FISCAL_TENANT'],
    companyId: env['FISCAL_COMPANY'],
  };
  return operations[read].path.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? id);
}

function textOf(body: unknown, name: string): string | undefined {
  const text = look(body, name);
  return typeof text === 'string' ? text : undefined;
}
