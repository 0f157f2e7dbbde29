import { expect, it } from 'vitest';
import { clientsFile } from '../../bench/drill/clients.js';
import {
  clearFaults,
  fiscal,
  holdAnswers,
  killWhenHeld,
  ledger,
  newWorld,
  put,
  records,
  start,
  withSandbox,
} from './program.js';

const CLIENTS = 3;
/** What the service creates once for each client, and must not create again. */
const created = ['company.create', 'stateTax.create', 'municipalTax.create', 'nfse.inbound.enable'] as const;

it('kill -9 of a company apply while each of its kinds of requests is out: every resource is there once, and nothing differs', async () => {
  // `npm run drill -- clients` is larger.
  const { world, ready, stop } = await withSandbox(newWorld());
  try {
    const file = put(world, 'clients.yaml', clientsFile(CLIENTS));
    const apply = ['company', 'apply', file, '--yes', '--concurrency', '1', '-o', 'ndjson'];
    for (const operation of created) {
      for (const skip of [0, 1]) {
        await holdAnswers(ready, operation, { skip, slowMs: 20 });
        expect((await killWhenHeld(ready, start(world, apply))).signal).toBe('SIGKILL');
        await clearFaults(ready);
      }
    }
    const last = await fiscal(world, ...apply);
    expect({ exitCode: last.exitCode, stderr: last.stderr }).toMatchObject({ exitCode: 0 });
    const check = await fiscal(world, 'company', 'apply', file, '--check', '-o', 'ndjson');
    const differing = records(check).filter(
      ({ type, line, action }) => type === 'item' && line !== 0 && action !== 'unchanged',
    );
    expect({ exitCode: check.exitCode, differing }).toEqual({ exitCode: 0, differing: [] });
    for (const operation of created) {
      const effects = (await ledger(ready, operation)).filter(({ effect }) => effect !== null);
      expect({ operation, times: effects.length }).toEqual({ operation, times: CLIENTS });
    }
  } finally {
    stop();
  }
});
