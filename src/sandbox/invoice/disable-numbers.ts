import type { InvoiceKind } from '../core/records.js';
import type { Disablement } from '../../contract/invoice.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import { states } from '../product/vocabulary.js';
import { all, type Check, object, oneOf, readBody, text, whole } from './checks.js';
import type { StoredInvoice } from './invoices.js';
import { environments } from './read-invoice.js';
import { readReason } from './change.js';

const highestNumber = 999_999_999;
/** The layout allows no more numbers at once. */
const mostNumbers = 10_000;

const check = all(
  object({
    required: {
      environment: oneOf(environments),
      serie: whole(0, 969),
      state: oneOf(states),
      beginNumber: whole(1, highestNumber),
      lastNumber: whole(1, highestNumber),
      reason: text(255),
    },
  }),
  range,
);

function range(value: unknown, _path: string, report: Parameters<Check>[2]): void {
  const [begin, last] = isRecord(value) ? [Number(value['beginNumber']), Number(value['lastNumber'])] : [];
  if (begin === undefined || last === undefined) return;
  if (last < begin) report.push({ field: 'lastNumber', message: 'Must not be before beginNumber.' });
  if (last - begin >= mostNumbers) {
    report.push({ field: 'lastNumber', message: `At most ${mostNumbers} numbers can be disabled at once.` });
  }
}

interface DisablementRequest {
  readonly companyId: string;
  readonly kind: Extract<InvoiceKind, 'nfe' | 'nfce'>;
  readonly body: unknown;
}

/** Disables a range of numbers. Throws 409 if one of them is issued or already disabled, also by the same request. */
export function disableNumbers(core: Core, { companyId, kind, body }: DisablementRequest): Disablement {
  const fields = readBody(body, check);
  const reason = readReason(fields['reason'], 'reason', 255);
  const [serie, from, to] = ['serie', 'beginNumber', 'lastNumber'].map((name) => Number(fields[name]));
  const environment = String(fields['environment']);
  const state = String(fields['state']);
  if (serie === undefined || from === undefined || to === undefined) throw taken('is not there');
  const space = { companyId, kind, environment, serie };
  if (core.invoices.countNumbers(space, from, to) > 0) throw taken('is issued');
  if (core.disablements.overlapping(space, from, to) !== undefined) throw taken('is disabled already');
  const protocol = protocolOf(core, from);
  core.disablements.add({ ...space, beginNumber: from, lastNumber: to, protocol });
  return {
    environment,
    serie,
    state,
    beginNumber: from,
    lastNumber: to,
    reason,
    status: 'Disabled',
    protocol,
  };
}

/** Disables the number of an invoice that failed (public). Throws 409 for any other, and for one that has no number. */
export function disableFailed(
  core: Core,
  invoice: StoredInvoice & { readonly kind: 'nfe' },
  reason: string | null,
): void {
  if (reason !== null) readReason(reason, 'reason', 255);
  const { id, companyId, kind, environment, status, serie, content } = invoice;
  const number = invoice.number ?? content['number'];
  if (status !== 'Error') throw new Refusal('conflict', `The invoice is ${status}: its number stays.`);
  if (typeof number !== 'number') throw new Refusal('conflict', 'The invoice has no number.');
  const given = serie ?? content['serie'];
  const space = { companyId, kind, environment, serie: typeof given === 'number' ? given : 1 };
  if (core.invoices.countNumbers(space, number, number) > 0) throw taken('is issued');
  if (core.disablements.overlapping(space, number, number) !== undefined) throw taken('is disabled already');
  const protocol = protocolOf(core, number);
  core.disablements.add({ ...space, beginNumber: number, lastNumber: number, protocol });
  const disabled = { status: 'Disabled', serie: space.serie, number, protocol };
  core.invoices.change(id, { ...disabled, modifiedAt: core.clock.now() });
}

function taken(why: string): Refusal {
  return new Refusal('conflict', `A number of the range ${why}.`, {
    details: [{ field: 'beginNumber', message: `A number of the range ${why}.` }],
  });
}

/** 15 digits, like all protocols of an authority. */
function protocolOf(core: Core, number: number): string {
  const year = new Date(core.clock.now()).getUTCFullYear() % 100;
  return `135${String(year).padStart(2, '0')}${String(number).padStart(10, '0')}`;
}
