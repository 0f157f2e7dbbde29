import { afterAll, beforeAll } from 'vitest';
import type { RunningSandbox } from '../../../src/contract/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import type { Environment } from '../../../src/domain/world.js';
import { runFiscal, testHost, type RunResult, type TestHost } from '../../support/host.js';
import { newCompany } from '../../facts/company.js';

export interface LedgerEntry {
  readonly operation: string;
  readonly status: number | null;
}

/** A sandbox in memory whose companies have hidden NFS-e from before October 2026, for the tests of one file. */
export function historyService(seed: { readonly companies: number; readonly documents: number }) {
  let running: RunningSandbox | undefined;
  let companies: readonly string[] = [];
  const bare = new Map<number, string>();
  const service = (): RunningSandbox => {
    if (running === undefined) throw new Error('the service is not up yet');
    return running;
  };
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${service().url}/__sandbox/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return await answer.json();
  };
  beforeAll(async () => {
    running = await startSandbox({ path: ':memory:' });
    await control('POST', 'seed', { scenario: 'history', month: '2026-10', ...seed });
    const shown = await runFiscal(['backfill', 'show', '--all-companies', '-o', 'json'], newHost());
    const rows = JSON.parse(shown.stdout) as { readonly companyId: string }[];
    companies = rows.map(({ companyId }) => companyId);
  });
  afterAll(async () => {
    await running?.close();
  });
  const newHost = (env: Environment = {}): TestHost => {
    const { url, ready } = service();
    const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: ready.invoiceKey };
    return testHost({ env: { ...hosts, FISCAL_LANG: 'en', ...env } });
  };
  return {
    newHost,
    control,
    company: (index: number): string => companies[index] ?? '',
    /** A company of the account that captures no NFS-e; each CNPJ is another one. */
    async withoutCapture(federalTaxNumber = 33000167000101): Promise<string> {
      const before = bare.get(federalTaxNumber);
      if (before !== undefined) return before;
      const { url, ready } = service();
      const company = { ...newCompany, name: 'Sem Captura Ltda', federalTaxNumber };
      const answer = await fetch(`${url}/v2/companies`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: ready.invoiceKey },
        body: JSON.stringify({ company }),
      });
      // The shape that the service shows.
      const { id } = ((await answer.json()) as { readonly company: { readonly id: string } }).company;
      bare.set(federalTaxNumber, id);
      return id;
    },
    /** A fresh machine: nothing of earlier commands is known. */
    backfill: (host: TestHost, ...argv: string[]): Promise<RunResult> => runFiscal(['backfill', ...argv], host),
    /** How often the service was asked to release or revoke. */
    async asked(operation = 'nfse.backfill.release'): Promise<number> {
      const answer = await control('GET', `ledger?operation=${operation}&limit=5000`);
      return (answer as { readonly entries: readonly LedgerEntry[] }).entries.length;
    },
    /** Small batches, so slow that a sweep does not end by itself. */
    slow: () => control('POST', 'sweep', { documents: 1, every: '10m' }),
    usual: () => control('DELETE', 'sweep'),
    advance: (time: string) => control('POST', 'clock', { advance: time }),
  };
}

/** What a command of one company gave. */
export function dataOf({ exitCode, stdout }: RunResult): {
  readonly exitCode: number;
  readonly data: Record<string, unknown> | undefined;
} {
  // One JSON object, or nothing after a failure; each test looks at the fields that it needs.
  const data = stdout === '' ? undefined : (JSON.parse(stdout) as Record<string, unknown>);
  return { exitCode, data };
}

/** The error that a program reads. */
export function errorOf({ exitCode, stderr }: RunResult): { readonly exitCode: number; readonly code: unknown } {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  // The shape is what `output.test.ts` asserts.
  return { exitCode, code: (JSON.parse(line) as { error: { code: unknown } }).error.code };
}

export function recordsOf({ stdout }: RunResult): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}
