import type { Settings } from '../../config/settings.js';
import type { Context } from '../../services/context.js';
import { countKeptAnswers } from '../../jobs/answer-journal.js';
import { type Check, copied, otherVersion, problemOf, putBack, waitCheck } from './local-checks.js';

/** The store of a server can be reached and read; nothing is written. `undefined`: the store is a file of this machine. */
export async function checkServer(context: Context, settings: Settings): Promise<readonly Check[] | undefined> {
  try {
    const server = await (await context.config()).storeAddress(settings);
    if (server === undefined) return undefined;
    const { inspectServer } = await import('../../store/postgres/inspect.js');
    const { version, schema, known, waits, copy, wentBack, laggingStandbys } = await inspectServer(
      server,
      settings.storeNamespace,
    );
    const other = otherVersion(server.name, { schema, known });
    if (other !== undefined) return [other];
    if (copy !== undefined) return [copied(server.name, copy)];
    if (wentBack) return [putBack(server.name)];
    return [
      { check: 'store', status: 'ok', found: found(server.name, version, schema) },
      ...(laggingStandbys === 0 ? [] : [lagging(laggingStandbys)]),
      ...waits.map(waitCheck),
      ...(await checkKeptAnswers(context.directories.state)),
    ];
  } catch (error) {
    const advice = {
      en: 'check the address of the store (FISCAL_STORE_URL), its password and its server; until then nothing is sent',
      pt: 'confira o endereço do banco do estado (FISCAL_STORE_URL), a senha e o servidor; até lá nada é enviado',
    };
    return [problemOf('store', error, advice)];
  }
}

function found(name: string, version: string, schema: number): Check['found'] {
  return schema === 0
    ? {
        en: `${name} answers (PostgreSQL ${version}); the first command creates its tables`,
        pt: `${name} responde (PostgreSQL ${version}); o primeiro comando cria as tabelas`,
      }
    : {
        en: `${name} answers (PostgreSQL ${version}), schema ${schema}`,
        pt: `${name} responde (PostgreSQL ${version}), esquema ${schema}`,
      };
}

function lagging(count: number): Check {
  const found = {
    en: `standbys of the store's server: ${count}, and commits wait for none`,
    pt: `réplicas do servidor do estado: ${count}, e nenhuma gravação espera por elas`,
  };
  const advice = {
    en: 'set synchronous_standby_names; else a fail-over can lose the last sends, and items that look unsent are looked up or left to you',
    pt: 'configure synchronous_standby_names; senão a troca de servidor pode perder os últimos envios, e o que parece não enviado é consultado ou fica para você',
  };
  return { check: 'store', status: 'warn', found, advice };
}

/** Answers that a store on a server could not take wait on this machine. */
async function checkKeptAnswers(stateFolder: string): Promise<readonly Check[]> {
  const { folder, count } = await countKeptAnswers(stateFolder);
  if (count === 0) return [];
  const found = {
    en: `answers that the store has not taken yet: ${count} in ${folder}`,
    pt: `respostas que o estado ainda não recebeu: ${count} em ${folder}`,
  };
  const advice = {
    en: 'run "fiscal store status": it writes them to the store, or says why not',
    pt: 'execute "fiscal store status": ele as grava no estado, ou diz por que não',
  };
  return [{ check: 'answers', status: 'warn', found, advice }];
}
