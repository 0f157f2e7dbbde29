import { createHash } from 'node:crypto';
import type { Text } from '../contract/text.js';
import type { RowFault } from './row-faults.js';
import type { WholeRow } from './row.js';

/** Rows that do not fit to others. `where` is about the row `r`; `name` completes the name of a table. */
export interface Relation {
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
  readonly reason: Text;
  where(name: (table: string) => string): string;
}

interface Rule {
  readonly column: string;
  readonly reason: Text;
  isBroken(row: WholeRow): boolean;
}

const isOneOf = (...states: readonly string[]) => {
  const known: ReadonlySet<unknown> = new Set(states);
  return ({ state }: WholeRow): boolean => known.has(state);
};

const isUnderWay = isOneOf('prepared', 'sending', 'pending', 'uncertain');
const hasEnded = isOneOf('succeeded', 'rejected', 'failed', 'skipped', 'cancelled');
const hadNoEffect = isOneOf('failed', 'cancelled');
const isClosed = isOneOf('done', 'cancelled');
const isForwarded = isOneOf('delivered', 'dead');
const isAtRest = isOneOf('delivered', 'dead', 'kept');
const isArchived = isOneOf('archived');

const withoutFile: Text = {
  en: 'the row says that it is archived, and names no file',
  pt: 'a linha diz que está arquivado, e não indica um arquivo',
};
const hasNoFile = (row: WholeRow): boolean => isArchived(row) && hasNone(row, 'archive', 'path', 'sha256', 'bytes');

/** One of these columns is empty. */
function hasNone(row: WholeRow, ...columns: readonly string[]): boolean {
  return columns.some((column) => row[column] === null);
}

/** What no program has written so in one row. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  jobs: [
    {
      column: 'finished_at',
      reason: { en: 'the job has ended, and has no time of its end', pt: 'o lote terminou, e não tem a hora do fim' },
      isBroken: (row) => isClosed(row) && row['finished_at'] === null,
    },
    {
      column: 'finished_at',
      reason: { en: 'the job goes on, and has a time of its end', pt: 'o lote continua, e tem a hora do fim' },
      isBroken: (row) => !isClosed(row) && row['finished_at'] !== null,
    },
  ],
  items: [
    {
      column: 'settled_at',
      reason: {
        en: 'the item has ended, and has no time of its result',
        pt: 'o item terminou, e não tem a hora do resultado',
      },
      isBroken: (row) => hasEnded(row) && row['settled_at'] === null,
    },
    {
      column: 'holds_key',
      reason: {
        en: 'the item is under way, and another one may be sent with its dedupe key',
        pt: 'o item está em andamento, e outro com a mesma chave de duplicidade pode ser enviado',
      },
      isBroken: (row) => isUnderWay(row) && row['holds_key'] === 0,
    },
    {
      column: 'holds_key',
      reason: {
        en: 'the item ended without effect, and keeps its dedupe key from others',
        pt: 'o item terminou sem efeito, e ainda reserva a chave de duplicidade',
      },
      isBroken: (row) => hadNoEffect(row) && row['holds_key'] === 1,
    },
    {
      column: 'sent_at',
      reason: {
        en: 'the item is being sent, and has no attempt or no time of it',
        pt: 'o item está sendo enviado, e não tem tentativa ou a hora dela',
      },
      isBroken: (row) => row['state'] === 'sending' && (row['sent_at'] === null || row['attempts'] === 0),
    },
    {
      column: 'sent_at',
      reason: { en: 'the item was sent, and has no time of it', pt: 'o item foi enviado, e não tem a hora do envio' },
      isBroken: (row) => row['attempts'] !== 0 && row['sent_at'] === null,
    },
    {
      column: 'holds_key',
      reason: {
        en: 'another item replaces it, and it keeps its dedupe key',
        pt: 'outro item o substitui, e ele ainda reserva a chave de duplicidade',
      },
      isBroken: (row) => row['replaced'] === 1 && row['holds_key'] === 1,
    },
  ],
  documents: [
    { column: 'path', reason: withoutFile, isBroken: hasNoFile },
    {
      column: 'pdf_path',
      reason: withoutFile,
      isBroken: (row) => row['pdf_state'] === 'archived' && hasNone(row, 'pdf_path', 'pdf_sha256', 'pdf_bytes'),
    },
  ],
  document_events: [{ column: 'path', reason: withoutFile, isBroken: hasNoFile }],
  owed: [
    {
      column: 'written_off_at',
      reason: {
        en: 'a document is written off at a time and for a reason, and one of them is missing',
        pt: 'um documento é baixado em uma hora e por um motivo, e falta um deles',
      },
      isBroken: (row) => (row['written_off_at'] === null) !== (row['written_off_reason'] === null),
    },
  ],
  webhook_events: [
    {
      column: 'digest',
      reason: {
        en: 'the body is not the one that was received: its SHA-256 differs',
        pt: 'o corpo não é o que foi recebido: o SHA-256 difere',
      },
      isBroken: ({ body, digest }) => !(body instanceof Uint8Array) || sha256(body) !== digest,
    },
    {
      column: 'due_at',
      reason: {
        en: 'the event is finished, and would be forwarded again',
        pt: 'o evento terminou, e seria encaminhado de novo',
      },
      isBroken: (row) => isAtRest(row) && row['due_at'] !== null,
    },
    {
      column: 'settled_at',
      reason: {
        en: 'the event is finished, and has no time of its end',
        pt: 'o evento terminou, e não tem a hora do fim',
      },
      isBroken: (row) => isForwarded(row) && row['settled_at'] === null,
    },
  ],
};

export function rowContradiction(table: string, row: WholeRow): RowFault | undefined {
  const broken = rules[table]?.find(({ isBroken }) => isBroken(row));
  return broken && { column: broken.column, reason: broken.reason };
}

function sha256(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

const ofDocument = '(e.profile, e.company_id, e.family)';
const ofRow = '(r.profile, r.company_id, r.family)';
const owedKey = ['profile', 'company_id', 'family', 'document_id', 'event_key'];

/**
 * A worker that is gone, an item skipped for one that was pruned, and a call of a pruned job are as they should be, and so is an
 * event that is listed before its document.
 */
export const relations: readonly Relation[] = [
  {
    table: 'items',
    key: ['seq', 'id'],
    column: 'job_id',
    reason: {
      en: 'there is no job with the id, profile and kind of the item',
      pt: 'não há lote com o id, o perfil e o tipo do item',
    },
    where: (name) =>
      `NOT EXISTS (SELECT 1 FROM ${name('jobs')} AS j WHERE j.id = r.job_id AND j.profile = r.profile AND j.kind = r.kind)`,
  },
  {
    table: 'items',
    key: ['seq', 'id'],
    column: 'state',
    reason: { en: 'its last step led to another state', pt: 'o último passo levou a outra situação' },
    where: (name) =>
      `r.state <> (SELECT e.to_state FROM ${name('item_events')} AS e WHERE e.item = r.seq ORDER BY e.seq DESC LIMIT 1)`,
  },
  {
    table: 'item_events',
    key: ['seq'],
    column: 'item',
    reason: { en: 'there is no item of this step', pt: 'não há item deste passo' },
    where: (name) => `NOT EXISTS (SELECT 1 FROM ${name('items')} AS i WHERE i.seq = r.item)`,
  },
  {
    table: 'jobs',
    key: ['seq', 'id'],
    column: 'state',
    reason: { en: 'the job has ended, and one of its items has not', pt: 'o lote terminou, e um dos itens não' },
    where: (name) =>
      `r.state IN ('done', 'cancelled') AND EXISTS (SELECT 1 FROM ${name('items')} AS i
         WHERE i.job_id = r.id AND i.replaced = 0 AND i.state IN ('prepared', 'sending', 'pending'))`,
  },
  {
    table: 'items',
    key: ['seq', 'id'],
    column: 'replaced',
    reason: {
      en: 'the item is marked as replaced, and no item replaces it',
      pt: 'o item está marcado como substituído, e nenhum item o substitui',
    },
    where: (name) =>
      `r.replaced = 1 AND r.seq NOT IN (SELECT old.seq FROM ${name('items')} AS new
         JOIN ${name('items')} AS old ON old.id = new.previous_id)`,
  },
  {
    table: 'owed',
    key: owedKey,
    column: 'document_id',
    reason: {
      en: 'there is no document or event that could be outstanding',
      pt: 'não há documento ou evento que possa estar em falta',
    },
    where: (name) =>
      `NOT EXISTS (SELECT 1 FROM ${name('documents')} AS e WHERE ${ofDocument} = ${ofRow}
           AND e.id = r.document_id AND r.event_key = '')
         AND NOT EXISTS (SELECT 1 FROM ${name('document_events')} AS e WHERE ${ofDocument} = ${ofRow}
           AND e.document_id = r.document_id AND e.event_key = r.event_key)`,
  },
  {
    table: 'webhook_events',
    key: ['seq', 'id'],
    column: 'due_at',
    reason: {
      en: 'the event waits, and no event of its resource is due: none of them would be forwarded',
      pt: 'o evento espera, e nenhum evento do recurso tem hora: nenhum deles seria encaminhado',
    },
    where: (name) =>
      `r.state IN ('received', 'forwarding') AND r.due_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM ${name('webhook_events')} AS e WHERE e.profile = r.profile
           AND e.resource = r.resource AND e.state IN ('received', 'forwarding') AND e.due_at IS NOT NULL)`,
  },
];
