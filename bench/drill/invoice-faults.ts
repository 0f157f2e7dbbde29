import { addFault } from './ledger.js';

/** The service did its work, or will: who sends again after these issues twice. */
const after = ['429', 'slow', '500-after', '500-after', 'cut-after', 'cut-after', 'cut-body', 'broken-json'];
/** Nothing was done and nobody says so: whether it is to be sent again shows only after a while. */
const before = ['503', '500', 'cut-before'];

/** Share of the requests that meet a fault, spread evenly over the kinds. */
const ISSUES = 0.15;
const READS = 0.05;

const issues = ['nfe.issue', 'nfce.issue', 'nfse.issue', 'invoice.create'];
const reads = ['nfe.list', 'nfce.list', 'nfse.getByExternalId', 'nfe.get', 'nfce.get', 'nfse.get', 'invoice.get'];

/** `quick` leaves out the faults that make an NF-e wait for a minute. */
export async function addInvoiceFaults(url: string, choice: 'all' | 'quick'): Promise<void> {
  const kinds = choice === 'all' ? [...after, ...before] : after;
  for (const kind of kinds) {
    for (const operation of issues) await addFault(url, fault(kind, operation, ISSUES / kinds.length));
    for (const operation of reads) await addFault(url, fault(kind, operation, READS / kinds.length));
  }
}

/** From now on the short way has no memory of keys, as in some deployments. */
export async function ignoreKeys(url: string): Promise<void> {
  await addFault(url, { kind: 'ignore-key', operation: 'invoice.create', rate: 1 });
}

function fault(kind: string, operation: string, rate: number): Readonly<Record<string, unknown>> {
  const base = { kind, operation, rate };
  // The client learns its pace from refusals (decision 7); more of them would only measure that.
  if (kind === '429') return { ...base, retryAfter: 1, count: 1 };
  return kind === 'slow' ? { ...base, delayMs: 300 } : base;
}
