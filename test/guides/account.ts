import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtProgram } from '../support/built-program.js';
import { newCompany } from '../facts/company.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { control, ended, newWorld, withSandbox, type Ended, type ReadyLine } from '../e2e/program.js';

/** An account with a month of documents, whose two companies have the names that the guides use, and an empty machine. */
export interface Account {
  readonly ready: ReadyLine;
  /** The home and the working folder of the reader. */
  readonly home: string;
  put(name: string, content: string | Uint8Array): void;
  /** The request as the service gets it. */
  ask(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** One program under `env -i`, with PATH, HOME and these variables. */
  run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended>;
  /** The same for one that goes on: resolves when it has written its first line, with what ends it by SIGTERM. */
  begin(words: readonly string[], env: Readonly<Record<string, string>>): Promise<() => Promise<Ended>>;
  stop(): void;
}

/** What a guide's reader has said of the account before the first block. */
export function accountVariables({ ready }: Account): Readonly<Record<string, string>> {
  return {
    FISCAL_PRODUCT_URL: ready.url,
    FISCAL_QUERY_URL: ready.url,
    FISCAL_SERVICE_URL: ready.url,
    FISCAL_INVOICE_KEY: ready.invoiceKey,
    FISCAL_DATA_KEY: ready.dataKey,
    FISCAL_TENANT: ready.tenantId,
  };
}

const owners = [
  { name: 'Acme Comércio Ltda', federalTaxNumber: 11_222_333_000_181 },
  { name: 'Padaria Sol Ltda', federalTaxNumber: 12_345_678_000_195 },
];

export async function openAccount(): Promise<Account> {
  const { ready, stop } = await withSandbox(newWorld());
  const root = temporaryFolder();
  const [home, bin] = [join(root, 'home'), join(root, 'bin')];
  for (const folder of [home, bin]) mkdirSync(folder);
  writeFileSync(join(bin, 'fiscal'), `#!/bin/sh\nexec '${process.execPath}' '${builtProgram}' "$@"\n`);
  // What a guide installs is there, and a program of somebody else's has a test.
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\ncase $1 in install) ;; *) exec fiscal product list ;; esac\n');
  writeFileSync(join(bin, 'mail'), '#!/bin/sh\ncat >/dev/null\n');
  for (const name of ['fiscal', 'npm', 'mail']) chmodSync(join(bin, name), 0o755);
  const ask: Account['ask'] = async (method, path, body) => {
    const headers = { authorization: ready.invoiceKey, 'content-type': 'application/json' };
    const answer = await fetch(`${ready.url}${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    const text = await answer.text();
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  // The companies first, so that the documents are of their numbers.
  for (const own of owners) await ask('POST', '/v2/companies', { company: { ...newCompany, ...own } });
  for (const scenario of ['month', 'history']) {
    await control(ready, 'seed', { scenario, companies: 3, documents: 30, month: '2026-10' });
  }
  const { companies } = (await ask('GET', '/v2/companies?limit=50')) as { companies: { id: string }[] };
  for (const { id } of companies) await control(ready, 'certificates', { state: 'valid', companyId: id });
  const opened = ([command = '', ...words]: readonly string[], env: Readonly<Record<string, string>>): ChildProcess =>
    spawn(command, words, {
      ...{ cwd: home, env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: home, ...env } },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    ...{ ready, home, ask, stop },
    put(name, content) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), content);
    },
    run: (words, env) => ended(opened(words, env)),
    async begin(words, env) {
      const child = opened(words, env);
      const end = ended(child);
      const early = end.then((how) => Promise.reject(new Error(JSON.stringify(how))));
      early.catch(() => undefined);
      await Promise.race([new Promise((resolve) => child.stdout?.once('data', resolve)), early]);
      return async () => {
        child.kill('SIGTERM');
        return await end;
      };
    },
  };
}
