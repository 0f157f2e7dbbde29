import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxReady } from '../../src/contract/sandbox.js';
import type { Clock, Environment } from '../../src/domain/world.js';
import type { testService } from '../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import type { Call, World } from './arguments.js';

function environmentOf({ invoiceKey, dataKey, tenantId, companyId }: SandboxReady, url: string): Environment {
  return {
    ...{ FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url },
    ...{ FISCAL_INVOICE_KEY: invoiceKey, FISCAL_DATA_KEY: dataKey },
    ...{ FISCAL_TENANT: tenantId, FISCAL_COMPANY: companyId },
  };
}

interface Surroundings {
  readonly ready: SandboxReady;
  /** Where the service, or what stands before it, is asked. */
  readonly url: string;
  readonly clock: Clock;
}

/** A host for one call of the table, with its files and stdin. */
export function hostOf(call: Call, { ready, url, clock }: Surroundings): TestHost {
  const stdin = call.stdin === undefined ? {} : { stdin: call.stdin };
  const host = testHost({ clock, ...stdin, env: environmentOf(ready, url) });
  for (const [name, content] of Object.entries(call.files ?? {})) writeFileSync(join(host.cwd, name), content);
  return host;
}

async function direct(host: TestHost, ...argv: string[]): Promise<unknown> {
  const { exitCode, stdout, stderr } = await runFiscal([...argv, '-o', 'json'], host);
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended ${exitCode}: ${stderr}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

function idIn(data: unknown, ...names: readonly string[]): string {
  const row = (Array.isArray(data) ? data[0] : data) as Readonly<Record<string, unknown>>;
  const found = names.map((name) => row[name]).find((value) => typeof value === 'string');
  if (typeof found !== 'string') throw new Error(`no ${names.join(' or ')} in ${JSON.stringify(row)}`);
  return found;
}

/** Fills the service, and gives what stands in it. */
export async function makeWorld(service: ReturnType<typeof testService>, receiverUrl: string): Promise<World> {
  const { companyId, tenantId } = service.ready();
  const made: { readonly file: string; readonly thumbprint: string } = await service.control('POST', 'pfx', {
    password: 'senha',
  });
  for (const family of ['nfe', 'cte', 'nfse']) await service.control('POST', 'seed', { documents: 4, family });
  await service.control('POST', 'seed', { companies: 1 });
  const host = testHost({ env: environmentOf(service.ready(), service.ready().url) });
  const put = (name: string, content: string): string => {
    writeFileSync(join(host.cwd, name), content);
    return name;
  };
  const listed = async (type: string) =>
    (await direct(host, 'inbound', 'list', '--type', type)) as { accessKey: string; id?: string }[];
  const [nfe, cte, nfse] = [await listed('nfe'), await listed('cte'), await listed('nfse')];
  const sampleOf = async (...words: string[]) => JSON.stringify(await direct(host, ...words, '--sample'));
  const samples = {
    general: await sampleOf('invoice', 'issue', '--model', 'general'),
    nfe: await sampleOf('invoice', 'issue', '--model', 'nfe'),
    nfce: await sampleOf('invoice', 'issue', '--model', 'nfce'),
    nfse: await sampleOf('invoice', 'issue', '--model', 'nfse'),
    tax: await sampleOf('tax', 'calculate'),
  };
  const issued = async (model: 'nfe' | 'nfce' | 'nfse') =>
    idIn(
      await direct(
        host,
        'invoice',
        'issue',
        '--model',
        model,
        '--file',
        put('b.json', samples[model]),
        '--external-id',
        `W-${model}`,
        '--yes',
      ),
      'invoiceId',
      'id',
    );
  const companies = (await direct(host, 'company', 'list')) as { readonly id: string }[];
  const product = await direct(
    host,
    'product',
    'create',
    '--sku',
    'W-1',
    '--description',
    'Café',
    '--origin',
    'National',
    '--ncm',
    '09012100',
  );
  const manifested = nfe[3]?.accessKey ?? '';
  const event = await direct(host, 'manifestation', 'submit', manifested, '--event', 'awareness');
  const invoices = {
    general: await direct(
      host,
      'invoice',
      'issue',
      '--model',
      'general',
      '--file',
      put('g.json', samples.general),
      '--yes',
    ),
    nfe: await issued('nfe'),
    nfce: await issued('nfce'),
    nfse: await issued('nfse'),
  };
  // The product is valid, the event is registered and the invoices are authorised.
  await service.control('POST', 'clock', { advance: '1h' });
  const webhook = await direct(host, 'webhook', 'create', `${receiverUrl}/`, '--secret-out', 's.txt', '--yes');
  return {
    companyId,
    tenantId,
    emptyCompanyId: companies.map(({ id }) => id).find((id) => id !== companyId) ?? '',
    nfeKeys: nfe.map(({ accessKey }) => accessKey),
    cteKey: cte[0]?.accessKey ?? '',
    nfseKey: nfse[0]?.accessKey ?? '',
    nfseId: nfse[0]?.id ?? '',
    manifested,
    eventKey: idIn(await direct(host, 'inbound', 'events', manifested), 'eventKey'),
    productId: idIn(product, 'id'),
    invoiceId: idIn(invoices.general, 'invoiceId', 'id'),
    nfeId: invoices.nfe,
    nfceId: invoices.nfce,
    nfseInvoiceId: invoices.nfse,
    eventId: idIn(event, 'eventId', 'id'),
    municipalTaxId: idIn(
      await direct(host, ...['company', 'registration', 'create', '--city', '3550308', '--tax-number', '12345678']),
      'id',
    ),
    stateTaxId: idIn(
      await direct(
        host,
        ...['company', 'registration', 'create', '--state', 'SP', '--tax-number', '110042490114'],
        ...['--type', 'Default'],
      ),
      'id',
    ),
    webhookId: idIn(webhook, 'id'),
    receiverUrl,
    thumbprint: made.thumbprint,
    month: new Date().toISOString().slice(0, 7),
    pfx: Buffer.from(made.file, 'base64'),
    samples,
  };
}
