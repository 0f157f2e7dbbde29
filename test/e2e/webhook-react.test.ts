import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { control, ended, inProcess, newWorld, product, put, records, start, withSandbox } from './program.js';

const secret = 'a-secret-of-more-than-thirty-two-characters';

/** Waits for what must come; the limit of the test ends it otherwise. */
async function until<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(100);
  }
}

it('a listener finishes the job, runs the program and fetches the document that an event announces', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  const secretFile = put(world, 'secret', secret);
  const handler = put(
    world,
    'handle.cjs',
    "require('node:fs').appendFileSync('handled', process.env.FISCAL_EVENT + '\\n')",
  );
  const words = ['webhook', 'listen', '--secret-file', secretFile, '--sync', '--archive', 'archive'];
  const listener = start(world, [...words, '--exec', `'${process.execPath}' '${handler}'`, '-o', 'ndjson']);
  try {
    const end = ended(listener);
    if (listener.stdout === null) throw new Error('no stdout');
    const lines: Record<string, unknown>[] = [];
    createInterface(listener.stdout).on('line', (line) => lines.push(JSON.parse(line)));
    const { url } = await until(() => lines.find(({ type }) => type === 'ready'));
    const created = await inProcess(world, 'webhook', 'create', String(url), '--secret-file', secretFile, '-o', 'json');
    expect(created).toMatchObject({ exitCode: 0 });

    const sent = await inProcess(
      world,
      'product',
      'create',
      '--file',
      put(world, 'p.json', product('P-1')),
      '-o',
      'json',
    );
    expect(sent.exitCode).toBe(0);
    await until(() => lines.find(({ event }) => event === 'product.active'));
    const [job] = await until(async () => {
      const jobs = records(await inProcess(world, 'job', 'list', '--all', '-o', 'ndjson'));
      return jobs[0]?.['state'] === 'done' ? jobs : undefined;
    });
    expect(job).toMatchObject({ kind: 'product-create', state: 'done', bad: 0 });

    const { accessKey } = await control(ready, 'documents', { family: 'nfse' });
    const archive = join(world.root, 'work', 'archive');
    const name = await until(() => {
      if (!existsSync(archive)) return undefined;
      const names = readdirSync(archive, { recursive: true }).map(String);
      return names.find((each) => each.endsWith(`${String(accessKey)}.xml`));
    });
    expect(name).toContain('nfse');

    const submitted = await inProcess(world, 'manifestation', 'submit', String(accessKey), '--event', '203202', '-y');
    expect(submitted.exitCode).toBe(0);
    await until(() => lines.find(({ event }) => event === 'service_invoice_manifestation.accepted'));
    await until(async () => {
      const jobs = records(await inProcess(world, 'job', 'list', '--all', '-o', 'ndjson'));
      return jobs.every(({ state }) => state === 'done') && jobs.length === 2 ? true : undefined;
    });

    const handled = () =>
      readFileSync(join(world.root, 'work', 'handled'), 'utf8')
        .trim()
        .split('\n');
    await until(() => (handled().length >= 4 ? true : undefined));
    expect(handled()).toEqual([
      'ping',
      'product.active',
      'service_invoice_inbound.received',
      'service_invoice_manifestation.accepted',
    ]);
    listener.kill('SIGTERM');
    expect((await end).exitCode).toBe(0);
  } finally {
    listener.kill('SIGKILL');
    stop();
  }
});
