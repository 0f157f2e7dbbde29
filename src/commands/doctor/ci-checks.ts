import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isBucketAddress } from '../../archive/location.js';
import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import type { Environment } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import type { Context } from '../../services/context.js';
import { knownVariables, nearestVariable, secrets } from './known-variables.js';
import { type Check, problemOf, same } from './local-checks.js';

/** What a pipeline needs besides, before anything is sent: each thing one line. Writes only the probe object of a bucket. */
export async function checkPipeline(context: Context, settings: Settings): Promise<readonly Check[]> {
  return [
    await checkRole(context),
    await checkShared(context, settings),
    await checkArchive(context),
    ...(await checkVariables(context.env)),
    await checkSummary(context.env),
  ];
}

/** Only a read that needs the role shows whether the key has it. */
async function checkRole(context: Context): Promise<Check> {
  const check = 'role Management';
  const advice: Text = {
    en: 'for releases and settings of captures use a key with the role Management; syncs need none',
    pt: 'para liberações e configurações de captura use uma chave com o papel Management; sincronizações não precisam',
  };
  const unknown: Text = { en: 'it is unknown whether the key has it', pt: 'não se sabe se a chave o tem' };
  try {
    const client = await context.client();
    const [company] = await context.scope().then((scope) => scope.all());
    if (company === undefined) return { check, status: 'warn', found: unknown, advice };
    const how = { signal: context.interruption };
    await client.call('nfse.statistics', { path: { companyId: company.id } }, how);
    return { check, status: 'ok', found: { en: 'the key has it', pt: 'a chave o tem' } };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.facts.httpStatus !== 403) return { check, status: 'warn', found: unknown, advice };
    return { check, status: 'warn', found: { en: 'the key lacks it', pt: 'a chave não o tem' }, advice };
  }
}

/** A runner is thrown away, and with it what it knows. */
async function checkShared(context: Context, settings: Settings): Promise<Check> {
  const check = 'shared store';
  const server = await context
    .config()
    .then((files) => files.storeAddress(settings))
    .catch((error: unknown) => problemOf(check, error, useServer));
  if (server === undefined) {
    const found: Text = {
      en: `the store is a file below ${context.directories.state}: a runner that is thrown away loses what was sent`,
      pt: `o estado é um arquivo em ${context.directories.state}: uma máquina descartada perde o que foi enviado`,
    };
    return { check, status: 'warn', found, advice: useServer };
  }
  if ('check' in server) return server;
  return { check, status: 'ok', found: same(server.name) };
}

const useServer: Text = {
  en: 'set FISCAL_STORE_URL or FISCAL_STORE_URL_FILE to a PostgreSQL server',
  pt: 'defina FISCAL_STORE_URL ou FISCAL_STORE_URL_FILE com um servidor PostgreSQL',
};

/** As the first write of a run begins: the bucket answers, lets this login write, and keeps conditions. */
async function checkArchive(context: Context): Promise<Check> {
  const check = 'archive';
  const advice: Text = {
    en: 'check FISCAL_ARCHIVE, AWS_REGION and the login of the bucket',
    pt: 'confira FISCAL_ARCHIVE, AWS_REGION e o acesso ao bucket',
  };
  try {
    const location = await archiveFolder(context, undefined);
    if (!isBucketAddress(location)) {
      const found: Text = {
        en: `${location} is a folder: a runner that is thrown away loses the documents`,
        pt: `${location} é uma pasta: uma máquina descartada perde os documentos`,
      };
      const bucket: Text = {
        en: 'set FISCAL_ARCHIVE=s3://bucket/prefix',
        pt: 'defina FISCAL_ARCHIVE=s3://bucket/prefixo',
      };
      return { check, status: 'warn', found, advice: bucket };
    }
    const storage = await openArchive(context, location);
    const owner = { machine: 'doctor', pid: context.program.pid, processStart: '' };
    const how = { livenessOf: () => 'unknown' as const, lockWaitMs: 0, clock: context.clock };
    const work = await storage.openWork({ workerId: context.random.uuid(), owner, ...how });
    await work.end();
    return { check, status: 'ok', found: { en: `${location} can be written`, pt: `é possível gravar em ${location}` } };
  } catch (error) {
    return problemOf(check, error, advice);
  }
}

/** Names that are set and mean nothing, or of which only one counts. Values are never shown. */
async function checkVariables(env: Environment): Promise<readonly Check[]> {
  const check = 'variables';
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const names = Object.keys(env).filter((name) => name.startsWith('FISCAL_') && isSet(name));
  const known = await knownVariables();
  const checks: Check[] = [];
  for (const name of names.filter((each) => !known.has(each)).toSorted()) {
    const meant = nearestVariable(name, known);
    checks.push({
      ...{ check, status: 'problem' },
      found: { en: `${name} is set and means nothing`, pt: `${name} está definida e não significa nada` },
      advice:
        meant === undefined
          ? {
              en: `remove ${name}; see "fiscal help environment"`,
              pt: `remova ${name}; veja "fiscal help environment"`,
            }
          : { en: `set ${meant} instead, or remove it`, pt: `defina ${meant} no lugar, ou remova-a` },
    });
  }
  const pairs = [
    ...secrets.map((name) => [name, `${name}_FILE`, `${name}_COMMAND`].filter(isSet)),
    ['FISCAL_COMPANY', 'FISCAL_ALL_COMPANIES'].filter(isSet),
  ];
  for (const [first, ...rest] of pairs) {
    if (first === undefined || rest.length === 0) continue;
    const more = rest.join(', ');
    checks.push({
      ...{ check, status: 'warn' },
      found: { en: `${first} goes before ${more}`, pt: `${first} vale mais que ${more}` },
      advice: { en: `keep one of them: remove ${more}`, pt: `mantenha só uma: remova ${more}` },
    });
  }
  if (checks.length > 0) return checks;
  const count = String(names.length);
  return [
    { check, status: 'ok', found: { en: `FISCAL_*: ${count}, all known`, pt: `FISCAL_*: ${count}, todas conhecidas` } },
  ];
}

async function checkSummary(env: Environment): Promise<Check> {
  const check = 'step summary';
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return { check, status: 'ok', found: { en: 'none is asked for', pt: 'nenhum foi pedido' } };
  try {
    const found = await stat(path).catch(() => undefined);
    await access(found === undefined ? dirname(path) : path, constants.W_OK);
    if (found !== undefined && !found.isFile()) throw new Error('EISDIR');
    return { check, status: 'ok', found: { en: `${path} can be written`, pt: `é possível gravar em ${path}` } };
  } catch {
    return {
      ...{ check, status: 'problem' },
      found: { en: `${path} cannot be written`, pt: `não é possível gravar em ${path}` },
      advice: {
        en: 'let GITHUB_STEP_SUMMARY name a file that this user may write, or set FISCAL_CI=none',
        pt: 'faça GITHUB_STEP_SUMMARY indicar um arquivo que este usuário possa gravar, ou defina FISCAL_CI=none',
      },
    };
  }
}
