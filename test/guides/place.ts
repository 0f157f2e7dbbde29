import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ended, newWorld, withSandbox, type Ended, type ReadyLine } from '../e2e/program.js';
import { builtProgram } from '../support/built-program.js';

/** A machine as a guide expects it: `fiscal` on the path, an account with documents, nothing else of this machine. */
export interface Place {
  readonly ready: ReadyLine;
  /** Ids of the companies of the account. */
  readonly companies: readonly string[];
  /** Folder of `fiscal`. */
  readonly bin: string;
  /** A new empty folder. */
  folder(): string;
  /** The text with every absolute path below these roots moved into `root`; the folders are made. */
  moved(text: string, root: string): string;
  /** Runs the words with these variables and no others, but for PATH and HOME. */
  run(words: readonly string[], scene: Scene): Promise<Ended>;
  stop(): void;
}

export interface Scene {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const roots = ['/etc/fiscal', '/run/secrets', '/srv/erp', '/var/lib/fiscal', '/var/log/fiscal'];

/** A sandbox with a month of documents of two companies, and a history that the cut-off hides. */
export async function openPlace(): Promise<Place> {
  const { world, ready, stop } = await withSandbox(newWorld());
  for (const [scenario, documents] of [
    ['month', 100],
    ['history', 40],
  ] as const) {
    const answer = await fetch(`${ready.url}/__sandbox/seed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario, companies: 2, documents }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'fiscal');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram}' "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const folder = (): string => mkdtempSync(join(world.root, 'folder-'));
  return {
    ...{ ready, bin, folder, stop },
    companies: await companyIds(ready),
    moved(text, root) {
      for (const from of roots) mkdirSync(join(root, from), { recursive: true });
      return roots.reduce((moving, from) => moving.replaceAll(from, join(root, from)), text);
    },
    run: ([command = '', ...words], { cwd, env }) =>
      ended(spawn(command, words, { cwd, env: { PATH: path, HOME: cwd, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })),
  };
}

async function companyIds({ url, invoiceKey }: ReadyLine): Promise<readonly string[]> {
  const answer = await fetch(`${url}/v2/companies?limit=50`, { headers: { authorization: invoiceKey } });
  // The shape is asserted by the sandbox's own tests.
  const { companies } = (await answer.json()) as { companies: readonly { readonly id: string }[] };
  return companies.map(({ id }) => id);
}
