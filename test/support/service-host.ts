import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from './host.js';

export interface Ready {
  readonly url: string;
  readonly invoiceKey: string;
  readonly dataKey: string;
  readonly tenantId: string;
  readonly companyId: string;
}

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program on one machine, before a service whose account it knows. */
export interface Machine {
  readonly host: TestHost;
  fiscal(...argv: string[]): Promise<Run>;
  put(name: string, content: string | Uint8Array): string;
}

export function machineBefore(ready: Ready, options: TestHostOptions = {}): Machine {
  const { url, invoiceKey, dataKey, tenantId, companyId } = ready;
  const host = testHost({
    ...options,
    env: {
      FISCAL_PRODUCT_URL: url,
      FISCAL_QUERY_URL: url,
      FISCAL_SERVICE_URL: url,
      FISCAL_INVOICE_KEY: invoiceKey,
      FISCAL_DATA_KEY: dataKey,
      FISCAL_TENANT: tenantId,
      FISCAL_COMPANY: companyId,
      ...options.env,
    },
  });
  return {
    host,
    fiscal: async (...argv) => runFiscal(argv, host),
    put(name, content) {
      writeFileSync(join(host.cwd, name), content);
      return name;
    },
  };
}

export interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly sent?: string;
  readonly hint?: string;
  readonly exitCode: number;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

/** The JSON error, the last line of stderr. */
export function errorOf({ stderr }: Run): ToldError {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { error: ToldError }).error;
}
