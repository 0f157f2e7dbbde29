import type { Given } from '../../cli/command.js';
import { stat } from 'node:fs/promises';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { DataRecord, Outcome, Sentence } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { copyRefusal } from '../../store/copy-mark.js';
import { type Examined, examine, type Finding } from '../../store/store-check.js';
import type { check } from './commands.js';
import { keptAnswers } from './kept-answers.js';
import { nameOf, type Place, placeGiven } from './place.js';

/**
 * Reads every row of a store, as it is at one moment, and what waits for it on this machine. Writes nothing. Exit 13 with one
 * record for each finding, as far as they are listed.
 */
export async function checkStore(context: Context, given: Given<typeof check>): Promise<Outcome> {
  const place = await placeGiven(context, given);
  const startedAt = context.clock.uptime();
  const examined = await examinedAt(context, place, given.store);
  const kept = examined.id === null ? noAnswers : await keptAnswers(context, examined.id);
  const findings = [...examined.findings, ...kept.damaged.map(damagedAnswer)];
  const total = examined.total + kept.damaged.length;
  const rows = examined.tables.reduce((sum, table) => sum + table.rows, 0);
  const isWhole = total === 0 && examined.notRead.length === 0;
  const exitCode = isWhole ? ExitCode.ok : ExitCode.endedBadly;
  const { id, copy, tables, notRead } = examined;
  const summary = {
    ...{ type: 'summary', path: nameOf(place), engine: engineOf(place), id, rows, tables, notRead },
    ...{ findings: total, listed: findings.length },
    seconds: Math.round((context.clock.uptime() - startedAt) / 100) / 10,
    keptAnswers: kept,
    ...(copy && { copy: { step: copy.step, other: copy.other } }),
    exitCode,
  };
  return {
    data: [...findings.map(recordOf), summary],
    exitCode,
    sentence: isWhole ? whole(rows, tables.length) : broken(total, notRead),
    notices: noticesOf(place, { examined, waiting: kept.waiting, total }),
  };
}

async function examinedAt(context: Context, place: Place, named: string | undefined): Promise<Examined> {
  const { progress, interruption } = context;
  const reading = rowsReading(context);
  progress.report({ label: opening, done: 0 });
  try {
    if (place.kind === 'server') {
      const { withServerSnapshot } = await import('../../store/postgres/check.js');
      // A lost connection begins anew.
      return await withServerSnapshot(place.server, (snapshot) => examine(snapshot, reading()));
    }
    await requirePresent(place.path, named);
    const { withFileSnapshot } = await import('../../store/sqlite/check.js');
    interruption.throwIfAborted();
    return await withFileSnapshot(place.path, (snapshot) => examine(snapshot, reading()));
  } finally {
    progress.stop();
  }
}

function rowsReading({ progress, interruption }: Context) {
  return () => {
    let done = 0;
    return (table: string, rows: number): void => {
      interruption.throwIfAborted();
      done += rows;
      progress.report({ label: { en: `reading ${table}`, pt: `lendo ${table}` }, done });
    };
  };
}

async function requirePresent(path: string, named: string | undefined): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  // What is no regular file is refused as that, where it is opened.
  if (file !== undefined && (file.size > 0 || !file.isFile())) return;
  const isOwn = named === undefined || named === 'local';
  throw new FiscalError(isOwn ? 'store.absent' : 'input.not_found', { path }, { sent: 'no' });
}

const noAnswers = { waiting: 0, damaged: [] } as const;

function engineOf({ kind }: Place): string {
  return kind === 'server' ? 'PostgreSQL' : 'SQLite';
}

function recordOf({ table, key, column, reason }: Finding): DataRecord {
  return { type: 'finding', table, ...(key && { key }), ...(column !== undefined && { column }), reason };
}

function damagedAnswer(path: string): Finding {
  const reason = {
    en: 'an answer kept on this machine is not as it was written: check its item at the service',
    pt: 'uma resposta guardada nesta máquina não está como foi gravada: confira o item dela no serviço',
  };
  return { table: 'keptAnswers', key: { path }, reason };
}

function whole(rows: number, tables: number): Sentence {
  const [row, table] = [counted(rows, forms.row), counted(tables, forms.table)];
  return {
    tone: 'good',
    en: `nothing is damaged: ${row.en} in ${table.en} were read`,
    pt: `nada está danificado: lidas ${row.pt} em ${table.pt}`,
  };
}

function broken(total: number, notRead: readonly string[]): Sentence {
  const found = counted(total, forms.finding);
  const names = notRead.join(', ');
  const rest =
    notRead.length === 0
      ? { en: '', pt: '' }
      : { en: `; not read to the end: ${names}`, pt: `; não lido até o fim: ${names}` };
  return { tone: 'warn', en: `${found.en}${rest.en}`, pt: `${found.pt}${rest.pt}` };
}

const forms = {
  row: { en: ['row', 'rows'], pt: ['linha', 'linhas'] },
  table: { en: ['table', 'tables'], pt: ['tabela', 'tabelas'] },
  finding: { en: ['finding', 'findings'], pt: ['achado', 'achados'] },
} as const;

function noticesOf(
  place: Place,
  found: { readonly examined: Examined; readonly waiting: number; readonly total: number },
): readonly Text[] {
  const { examined, waiting, total } = found;
  const { copy, findings } = examined;
  return [
    ...(total > findings.length ? [notListed(total - findings.length)] : []),
    ...(copy === undefined ? [] : [copyRefusal(nameOf(place), copy).text]),
    ...(waiting === 0 ? [] : [stillWaiting(waiting)]),
    ...(total === 0 ? [] : [next]),
  ];
}

const opening: Text = { en: 'checking the store', pt: 'conferindo o banco' };

function notListed(count: number): Text {
  return { en: `findings that are counted and not listed: ${count}`, pt: `achados contados e não listados: ${count}` };
}

function stillWaiting(count: number): Text {
  return {
    en: `answers that wait on this machine for the store: ${count}; "fiscal store status" writes them`,
    pt: `respostas que esperam nesta máquina pelo banco: ${count}; "fiscal store status" as grava`,
  };
}

const next: Text = {
  en: 'before you send again, check with the service what the rows named here stand for; a backup of the store knows nothing of what was sent after it',
  pt: 'antes de enviar de novo, confira com o serviço o que representam as linhas indicadas; um backup do banco não conhece o que foi enviado depois dele',
};
