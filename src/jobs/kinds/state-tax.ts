import type { Client } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import type { StateTaxInput } from '../../contract/tax-registration.js';
import { fieldOf } from '../../domain/record.js';
import type { JobKind, LookupResult, Observation } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { textField } from './answer-fields.js';

/** The input of a `state-tax-create` item. The CSC is a secret and never part of it. */
export interface StateTaxCreateItem {
  readonly companyId: string;
  readonly stateTax: Omit<StateTaxInput, 'securityCredential'>;
}

const PAGE = 50;

/**
 * It is not published that the service rejects a second registration with the same number, so the registrations of the
 * company are searched before the send, and again after an unknown outcome.
 */
export const stateTaxCreate: JobKind<StateTaxCreateItem, 'stateTax.create', never> = {
  name: 'state-tax-create',
  submit: 'stateTax.create',
  poll: null,
  replay: 'unsafe',
  rejectedStays: false,
  onceOnly: false,
  billed: () => false,
  submitInput: ({ companyId, stateTax }) => ({ path: { companyId }, body: { stateTax } }),
  pollInput: () => {
    throw new Error('state-tax-create has no read: its answer is the registration');
  },
  observeSubmit: ({ body }) => observed(fieldOf(body, 'stateTax')),
  observeConflict: () => ({ state: 'skipped' }),
  observePoll: () => ({ state: 'pending' }),
  async findBefore({ client, signal }, item) {
    const found = await findStateTax(client, item, signal);
    return typeof found === 'string' ? 'absent' : { ...found, state: 'skipped' };
  },
  lookup: async (client, item, { signal }) => findStateTax(client, item, signal),
  settleMs: 10 * 60_000,
};

function observed(stateTax: unknown): Observation {
  const resourceId = textField(stateTax, 'id');
  const remoteStatus = textField(stateTax, 'status');
  if (resourceId === undefined) return { state: 'uncertain', errorMessage: reasons.namelessCompany.en };
  return { state: 'succeeded', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

/** The registration of this state, number and type. */
async function findStateTax(
  client: Client,
  { companyId, stateTax }: StateTaxCreateItem,
  signal: AbortSignal,
): Promise<Exclude<LookupResult, 'cannot tell'>> {
  const input = { path: { companyId }, query: { limit: PAGE } };
  for await (const row of cursorRows(client, 'stateTax.list', input, { signal })) {
    const isSame = (['code', 'taxNumber', 'type'] as const).every(
      (name) => bare(textField(row, name)) === bare(stateTax[name]),
    );
    if (isSame) return observed(row);
  }
  return 'absent';
}

/** Some deployments show numbers with punctuation, or as JSON numbers without their leading zeros. */
function bare(text = ''): string {
  return text
    .replaceAll(/[^0-9A-Z]/gi, '')
    .replace(/^0+/, '')
    .toUpperCase();
}
