import type { Core } from '../core/core.js';
import { scheduleOwnInvoice } from '../inbound/own-invoices.js';
import { isRecord } from '../product/read-product.js';
import { announceInvoice } from '../webhook/announce-others.js';
import { authorize } from './authorize.js';
import type { StoredInvoiceOutcome } from './invoice-outcomes.js';
import type { StoredInvoice } from './invoices.js';
import { postponeEnd, scheduleStep, waitingStatuses } from './issue.js';
import { findIssueRejection, issueRejection, type IssueRejection } from './issue-rules.js';

/** One step of the issue, when its time has come. */
export function advanceInvoice(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload) || typeof payload['id'] !== 'string') return;
  const { id, delayedBy } = payload;
  const step = Number(payload['step']);
  const invoice = core.invoices.get(id);
  if (invoice === undefined || waitingStatuses[invoice.kind][step - 1] !== invoice.status) return;
  const next = waitingStatuses[invoice.kind][step];
  if (next !== undefined) {
    core.invoices.change(id, { status: next, modifiedAt: at });
    scheduleStep(core, { id, kind: invoice.kind, step: step + 1 }, at);
    return;
  }
  const outcome =
    typeof delayedBy === 'number'
      ? core.invoiceOutcomes.get(delayedBy)
      : core.invoiceOutcomes.strike('issue', invoice);
  if (delayedBy === undefined && outcome?.delayMs !== undefined) {
    return postponeEnd(core, { id, step, delayedBy: outcome.outcomeId }, at + outcome.delayMs);
  }
  endIssue(core, invoice, { outcome, at });
}

interface End {
  readonly outcome: StoredInvoiceOutcome | undefined;
  readonly at: number;
}

function endIssue(core: Core, invoice: StoredInvoice, { outcome, at }: End): void {
  const refuse = (status: string, { code, message }: IssueRejection) => {
    const refused = { status, errorCode: outcome?.code ?? code, errorMessage: outcome?.message ?? message };
    core.invoices.change(invoice.id, { ...refused, modifiedAt: at });
    announceInvoice(core, invoice.id, { ending: 'issued_error', at });
  };
  const issue = () => {
    authorize(core, invoice, at);
    scheduleOwnInvoice(core, invoice.id, at);
    announceInvoice(core, invoice.id, { ending: 'issued_successfully', at });
  };
  switch (outcome?.outcome) {
    case 'pending':
      return;
    case 'unlisted':
      return core.invoices.change(invoice.id, { status: 'Quarantined', modifiedAt: at });
    case 'failed':
      return refuse(failedStatus(invoice), issueRejection('999'));
    case 'denied':
      return refuse(invoice.kind === 'nfse' ? 'IssueFailed' : 'IssueDenied', issueRejection('301'));
    case 'issued':
      return issue();
    default: {
      const reason = findIssueRejection(core, invoice, at);
      return reason === undefined ? issue() : refuse(failedStatus(invoice), reason);
    }
  }
}

function failedStatus({ kind }: StoredInvoice): string {
  return kind === 'nfse' ? 'IssueFailed' : 'Error';
}
