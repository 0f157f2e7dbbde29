import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { Reason } from '../../errors/reasons.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { observeInvoice, statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import type { ItemRow } from '../../store/store.js';

/** An invoice at the service. `companyId` is unused for `general`, whose path names no company. */
export interface InvoiceTarget {
  readonly model: CheckedModel;
  readonly companyId: string;
  readonly id: string;
}

/** The name of each model in messages; `general` is the short form, which names none (§4). */
export const modelNames: Readonly<Record<CheckedModel, Text>> = {
  general: { en: 'invoice', pt: 'nota fiscal' },
  nfe: { en: 'NF-e', pt: 'NF-e' },
  nfce: { en: 'NFC-e', pt: 'NFC-e' },
  nfse: { en: 'NFS-e', pt: 'NFS-e' },
};

/** The operation that issues each model. */
export const issueOperations = {
  general: 'invoice.create',
  nfe: 'nfe.issue',
  nfce: 'nfce.issue',
  nfse: 'nfse.issue',
} as const satisfies Readonly<Record<CheckedModel, OperationId>>;

/** A printed command names the model, so that it works on any machine. */
export function lineOf(
  verb: string,
  model: CheckedModel,
  { id, company, wait = false }: { readonly id?: string; readonly company?: string; readonly wait?: boolean } = {},
): string {
  return fiscalLine({
    command: `invoice ${verb}`,
    positionals: id === undefined ? [] : [id],
    flags: [['--model', model], ...(wait ? ([['--wait', true]] as const) : [])],
    company,
  });
}

/** The command that reads one invoice; with `wait` it waits for the result. */
export function getLine(model: CheckedModel, id: string, { wait }: { readonly wait: boolean }): string {
  return lineOf('get', model, { id, wait });
}

/** `nfe, nfce or nfse`. */
export function orOf(words: readonly string[]): Text {
  const [last = '', ...others] = words.toReversed();
  if (others.length === 0) return { en: last, pt: last };
  const first = others.toReversed().join(', ');
  return { en: `${first} or ${last}`, pt: `${first} ou ${last}` };
}

/** `NF-e 6f1c…` as a sentence names it. */
export function invoiceText(model: CheckedModel, id: string): Text {
  const name = modelNames[model];
  return { en: `${name.en} ${id}`, pt: `${name.pt} ${id}` };
}

/** The state of an invoice, which decides the exit code. */
export type Standing =
  | { readonly is: 'issued' | 'under-way'; readonly status: string }
  | {
      readonly is: 'refused';
      readonly status: string;
      readonly errorCode: string | undefined;
      readonly reason: Reason | undefined;
    };

export function standingOf(body: unknown): Standing {
  const status = statusOfInvoice(body) ?? 'unknown';
  const { state, errorCode, reason } = observeInvoice(body);
  if (state === 'rejected') return { is: 'refused', status, errorCode, reason };
  return { is: state === 'succeeded' ? 'issued' : 'under-way', status };
}

/** The data of a command about one item; with the body of a read, also number, key and protocol. */
export function shownItem(item: ItemRow, body?: unknown): DataRecord {
  const { externalId } = externalOf(item);
  const id = item.resourceId;
  const status = statusOfInvoice(body) ?? item.remoteStatus;
  const facts = {
    serie: fieldOf(body, 'serie'),
    number: fieldOf(body, 'number') ?? fieldOf(body, 'numero'),
    accessKey:
      textField(body, 'accessKey') ?? textField(authorizationOf(body), 'accessKey') ?? textField(body, 'chaveAcesso'),
    protocol: textField(authorizationOf(body), 'protocol') ?? textField(body, 'protocolo'),
  };
  const given = Object.entries({ id, externalId, status, ...facts }).filter(([, value]) => value !== undefined);
  const { lookup, jobId } = item;
  return { type: 'invoice', ...Object.fromEntries(given), ...(lookup === undefined ? {} : { lookup }), jobId };
}

/** The externalId of an item; every kind of invoice job writes an object. */
export function externalOf({ input }: ItemRow): { readonly externalId?: string } {
  const externalId = textField(input, 'externalId');
  return externalId === undefined ? {} : { externalId };
}

function authorizationOf(body: unknown): unknown {
  return fieldOf(body, 'authorization');
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.entries(body).find(([key]) => key === name)?.[1];
}
