import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { look } from '../../scripts/quickstart/look.js';
import { BUCKET, type S3Fault, type S3Request, S3Server } from '../../test/support/s3-server.js';
import { environmentIn, withSandbox } from '../running-sandbox.js';
import { Service } from '../sync/service.js';
import { chance, live, type Moment } from './life.js';

export interface ArchiveDrill {
  readonly documents: number;
  readonly runners: number;
  readonly kills: number;
  readonly seed: number;
}

export interface ArchiveFindings {
  readonly kills: number;
  readonly lives: number;
  readonly requests: number;
  readonly faults: number;
  readonly right: {
    /** Objects beside the documents, and copies that were set aside. */
    readonly doubled: number;
    readonly lost: number;
    /** Objects whose bytes are not those of the service. */
    readonly wrong: number;
    /** Documents that the proofs do not list, or differ from. */
    readonly unproven: number;
    readonly exitCodes: readonly number[];
  };
}

const archive = `s3://${BUCKET}/drill`;

/** Runners with a store each sync one company to one bucket, whose server fails, while they are killed; then one closes. */
export async function drillArchive(drill: ArchiveDrill): Promise<ArchiveFindings> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-drill-s3-'));
  const random = chance(drill.seed);
  let faults = 0;
  let isKind = false;
  const fault = (request: S3Request): S3Fault | undefined => {
    const found = isKind ? undefined : faultOf(request, random());
    if (found !== undefined) faults += 1;
    return found;
  };
  const server = await S3Server.start({ fault });
  const found: ArchiveFindings[] = [];
  try {
    await withSandbox(folder, async ({ env: sandbox }) => {
      const env = { ...sandbox, ...server.env };
      const url = env['FISCAL_SERVICE_URL'] ?? '';
      const service = new Service(url, env['FISCAL_INVOICE_KEY'] ?? '');
      await service.control('seed', { documents: drill.documents, family: 'nfe', seed: drill.seed });
      const all = { folder, env, server, random };
      const { exitCodes, ...lived } = await syncAll(drill, all);
      const requests = server.requests.length;
      isKind = true;
      const right = { ...(await judge(drill, all, service)), exitCodes };
      found.push({ ...lived, requests, faults, right });
    });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const [first] = found;
  if (first === undefined) throw new Error('the drill found nothing');
  return first;
}

/** One request in twenty fails: half of them without an answer, of which the server has done what it was asked. */
function faultOf({ method }: S3Request, unit: number): S3Fault | undefined {
  if (unit < 0.02) return { status: 500, code: 'InternalError' };
  if (unit < 0.025) return { status: 503, code: 'SlowDown' };
  if (unit < 0.05) return method === 'GET' ? 'half' : 'cut';
  return undefined;
}

interface Runners {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly server: S3Server;
  readonly random: () => number;
}

function environmentOf(runner: string, { folder, env }: Pick<Runners, 'folder' | 'env'>): NodeJS.ProcessEnv {
  const service = Object.entries(env).filter(([name]) => /^(?:FISCAL|AWS)_/.test(name));
  return { ...environmentIn(join(folder, runner)), ...Object.fromEntries(service) };
}

async function syncAll({ kills: wanted, runners, documents }: ArchiveDrill, all: Runners) {
  const sum = { kills: 0, lives: 0 };
  const { random, server } = all;
  const afterRequests: Moment = async (life) => {
    const last = server.requests.length + random() * Math.max(40, documents / 2);
    while (!life.aborted && server.requests.length < last) await pause(5);
  };
  const syncUntilDone = async (runner: string): Promise<number> => {
    const env = environmentOf(runner, all);
    for (;;) {
      sum.lives += 1;
      const end = await live(env, syncWords, sum.kills < wanted ? afterRequests : undefined);
      if (end.wasKilled) sum.kills += 1;
      // 5: the object store was away for longer than the patience.
      else if (end.exitCode !== 5) return end.exitCode ?? 1;
    }
  };
  const names = Array.from({ length: runners }, (_, index) => `runner-${index}`);
  return { exitCodes: await Promise.all(names.map(syncUntilDone)), ...sum };
}

const syncWords = ['inbound', 'sync', '--type', 'nfe', '--archive', archive, '-o', 'json'];

async function judge(drill: ArchiveDrill, all: Runners, service: Service): Promise<ArchiveFindings['right']> {
  const companyId = all.env['FISCAL_COMPANY'] ?? '';
  const keys = await service.keys(companyId);
  const byKey = new Map<string, Buffer>();
  let doubled = 0;
  for (const [name, { body }] of all.server.objects) {
    const [, area = '', key = ''] = /^drill\/([^/]+)\/.*?([^/]+)\.xml$/.exec(name) ?? [];
    if (key === '') continue;
    if (area === 'set-aside' || byKey.has(key)) doubled += 1;
    byKey.set(key, body);
  }
  const right = { doubled, lost: 0, wrong: 0, unproven: 0, exitCodes: [] };
  for (const accessKey of keys) {
    const body = byKey.get(accessKey);
    if (body === undefined) right.lost += 1;
    else if (hashOf(body) !== (await service.xmlHash({ companyId, family: 'nfe', accessKey }))) right.wrong += 1;
  }
  const unproven = await proofsLack(drill.documents, all);
  return { ...right, doubled: doubled + Math.max(0, byKey.size - keys.length), unproven };
}

/** One runner closes every month; a machine that knows nothing verifies. */
async function proofsLack(documents: number, all: Runners): Promise<number> {
  const names = [...all.server.objects.keys()].map((name) => /\/(\d{4}-\d\d)\//.exec(name)?.[1] ?? '');
  for (const month of new Set(names.filter((name) => name !== '')))
    await live(environmentOf('runner-0', all), ['inbound', 'close', month, '--type', 'nfe', '--archive', archive]);
  const words = ['inbound', 'verify', '--archive', archive, '-o', 'json'];
  const { exitCode, stdout } = await live(environmentOf('another', all), words);
  const read: unknown = JSON.parse(stdout);
  const summary: unknown = Array.isArray(read) ? read.at(-1) : read;
  const proven = Number(look(summary, 'documents'));
  return exitCode === 0 ? Math.abs(documents - proven) : Math.max(1, Number(look(summary, 'problems')));
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
