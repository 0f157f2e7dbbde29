import { each, either, fromService, listOf, type Output, type Outputs, record, usual } from '../presenters/record.js';
import { withDryRun } from './shared-records.js';

/** The outputs of each noun and of each command without a verb. */
const loaders: Readonly<Record<string, () => Promise<{ readonly outputs: Outputs }>>> = {
  api: () => import('./api/outputs.js'),
  auth: () => import('./auth/outputs.js'),
  backfill: () => import('./backfill/outputs.js'),
  certificate: () => import('./certificate/outputs.js'),
  company: () => import('./company/outputs.js'),
  config: () => import('./config/outputs.js'),
  doctor: () => import('./doctor/outputs.js'),
  export: () => import('./export/outputs.js'),
  history: () => import('./history/outputs.js'),
  inbound: () => import('./inbound/outputs.js'),
  invoice: () => import('./invoice/outputs.js'),
  job: () => import('./job/outputs.js'),
  key: () => import('./key/outputs.js'),
  lookup: () => import('./lookup/outputs.js'),
  manifestation: () => import('./manifestation/outputs.js'),
  product: () => import('./product/outputs.js'),
  report: () => import('./report/outputs.js'),
  sandbox: () => import('./sandbox/outputs.js'),
  setup: () => import('./setup/outputs.js'),
  status: () => import('./status/outputs.js'),
  store: () => import('./store/outputs.js'),
  tax: () => import('./tax/outputs.js'),
  usage: () => import('./usage/outputs.js'),
  webhook: () => import('./webhook/outputs.js'),
};

/** Those of the commands that stand in this folder. */
const own: Outputs = {
  completion: { prints: 'text', records: {} },
  schema: either({
    schema: record(each('text', 'command, prints'), each(listOf('text'), 'records: registros')),
    document: fromService(each('anything', 'type: tipo'), {
      ...usual('title description'),
      ...each('text', '$schema'),
    }),
    openapi: fromService(each('anything', 'type: tipo'), each('text', 'openapi')),
  }),
};

/** Nouns whose commands ask the service: each also shows its first request with --dry-run. */
const asking: readonly string[] = [
  ...['backfill', 'certificate', 'company', 'inbound', 'invoice', 'lookup'],
  ...['manifestation', 'product', 'tax', 'webhook'],
];

/** Commands of these nouns that read what this machine has, and show no request. */
const local: readonly string[] = [
  ...['company alias', 'inbound close', 'inbound verify'],
  ...['manifestation codes', 'manifestation due', 'product list'],
  ...['webhook events', 'webhook listen', 'webhook missed', 'webhook resend', 'webhook verify'],
];

/** What every command prints, by its whole name: `product create`. */
export async function allOutputs(): Promise<Outputs> {
  const loaded = await Promise.all(Object.values(loaders).map((load) => load()));
  const named = [own, ...loaded.map(({ outputs }) => outputs)].flatMap(Object.entries<Output>);
  return Object.fromEntries(named.map(([name, output]) => [name, withPreview(name, output)]));
}

/** What one command prints; loads no other noun. */
export async function outputOf(name: string): Promise<Output | undefined> {
  const noun = nounOf(name);
  const outputs = Object.hasOwn(loaders, noun) ? (await loaders[noun]?.())?.outputs : own;
  const output = outputs?.[name];
  return output && withPreview(name, output);
}

function withPreview(name: string, output: Output): Output {
  return asking.includes(nounOf(name)) && !local.includes(name) ? withDryRun(output) : output;
}

function nounOf(name: string): string {
  return name.split(' ', 1).join('');
}
