/** What the sandbox says that happened. Only the fields that the drill reads. */
export interface LedgerEntry {
  readonly sequence: number;
  readonly at: string;
  readonly operation: string | null;
  readonly path: string;
  readonly status: number | null;
  readonly fault: string | null;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  readonly effect: Readonly<Record<string, unknown>> | null;
}

const PAGE = 1000;

export async function* ledger(url: string): AsyncIterable<LedgerEntry> {
  let after = 0;
  for (;;) {
    const entries = await page(url, after);
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    after = last.sequence;
  }
}

export async function lastSequence(url: string): Promise<number> {
  const { total } = await ask(url, 'ledger?limit=1');
  return Number(total);
}

export async function addFault(url: string, fault: Readonly<Record<string, unknown>>): Promise<void> {
  await addRule(url, 'faults', fault);
}

/** `path`: the control of the sandbox that takes such rules. */
export async function addRule(url: string, path: string, rule: Readonly<Record<string, unknown>>): Promise<void> {
  await ask(url, path, rule);
}

export async function clearFaults(url: string): Promise<void> {
  const answer = await fetch(`${url}/__sandbox/faults`, { method: 'DELETE' });
  if (!answer.ok) throw new Error(`faults: HTTP ${answer.status}`);
}

async function page(url: string, after: number): Promise<readonly LedgerEntry[]> {
  const { entries } = await ask(url, `ledger?after=${after}&limit=${PAGE}`);
  // The sandbox's own tests hold the shape of its ledger.
  return entries as readonly LedgerEntry[];
}

async function ask(url: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> {
  const init = body === undefined ? {} : post(body);
  const answer = await fetch(`${url}/__sandbox/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

function post(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
