import type { DataRecord } from '../../domain/outcome.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { observeInvoice, statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import type { ItemRow } from '../../store/store.js';

/** How an invoice stands, in the words that decide the exit code. */
export type Standing =
  | { readonly is: 'issued' | 'under-way'; readonly status: string }
  | {
      readonly is: 'refused';
      readonly status: string;
      readonly errorCode: string | undefined;
      readonly errorMessage: string | undefined;
    };

export function standingOf(body: unknown): Standing {
  const status = statusOfInvoice(body) ?? 'unknown';
  const { state, errorCode, errorMessage } = observeInvoice(body);
  if (state === 'rejected') return { is: 'refused', status, errorCode, errorMessage };
  return { is: state === 'succeeded' ? 'issued' : 'under-way', status };
}

/** What a command about one item gives back; with a read of the service, what the law knows the invoice by. */
export function shownItem(item: ItemRow, body?: unknown): DataRecord {
  const { externalId } = externalOf(item);
  const id = item.resourceId;
  const status = statusOfInvoice(body) ?? item.remoteStatus;
  const facts = {
    serie: fieldOf(body, 'serie'),
    number: fieldOf(body, 'number') ?? fieldOf(body, 'numero'),
    accessKey:
      textField(body, 'accessKey') ??
      textField(authorizationOf(body), 'accessKey') ??
      textField(body, 'chaveAcesso'),
    protocol: textField(authorizationOf(body), 'protocol') ?? textField(body, 'protocolo'),
  };
  const given = Object.entries({ id, externalId, status, ...facts }).filter(
    ([, value]) => value !== undefined,
  );
  const { lookup, jobId } = item;
  return {
    type: 'invoice',
    ...Object.fromEntries(given),
    ...(lookup === undefined ? {} : { lookup }),
    jobId,
  };
}

/** The item's own words; every kind of this family writes an object. */
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
