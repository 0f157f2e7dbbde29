import { cursorRows } from '../../client/list-rows.js';
import type { CallInput, Client } from '../../client/client.js';
import type { MunicipalTaxInput, StateTaxInput } from '../../contract/tax-registration.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { fieldOf } from '../../domain/record.js';
import type { AdmitContext, JobKind, Observation } from '../kind.js';
import { reasons } from '../../errors/reasons.js';
import { textField } from './answer-fields.js';

/** The input of a `state-tax-create` item. The CSC is a secret and never part of it. */
export interface StateTaxCreateItem {
  readonly companyId: string;
  readonly stateTax: Omit<StateTaxInput, 'securityCredential'>;
}

/** The input of a `municipal-tax-create` item. The credentials of the city hall are never part of it. */
export interface MunicipalTaxCreateItem {
  readonly companyId: string;
  readonly municipalTax: Omit<MunicipalTaxInput, 'loginName' | 'loginPassword' | 'authIssueValue'>;
}

type Submit = 'stateTax.create' | 'municipalTax.create';

/** What differs between the registrations of a state and of a city. */
interface Registration<Input, Id extends Submit> {
  readonly name: string;
  readonly submit: Id;
  readonly list: 'stateTax.list' | 'municipalTax.list';
  readonly envelope: string;
  submitInput(input: Input): CallInput<Id>;
  /** The words by which a registration is known again, of an input or of a row. */
  wordsOf(registration: unknown): readonly (string | undefined)[];
  registrationOf(input: Input): unknown;
}

const PAGE = 50;

/**
 * It is not published that the service rejects a second registration with the same number, so the registrations of the
 * company are searched before the send, and again after an unknown outcome.
 */
function creationOf<Input extends { readonly companyId: string }, Id extends Submit>(
  registration: Registration<Input, Id>,
): JobKind<Input, Id, never> {
  const { name, submit, envelope } = registration;
  const find = async ({ client, signal }: Pick<AdmitContext, 'client' | 'signal'>, input: Input) =>
    await findRow(client, signal, { registration, input });
  return {
    ...{ name, submit, poll: null, replay: 'unsafe', rejectedStays: false, onceOnly: false },
    billed: () => false,
    submitInput: (input) => registration.submitInput(input),
    pollInput: () => {
      throw new Error(`${name} has no read: its answer is the registration`);
    },
    observeSubmit: ({ body }) => observed(fieldOf(body, envelope)),
    observeConflict: () => ({ state: 'skipped' }),
    observePoll: () => ({ state: 'pending' }),
    async findBefore(context, input) {
      const found = await find(context, input);
      if (found === 'absent') return found;
      return 'mayBe' in found ? unclear(found.mayBe) : { ...found, state: 'skipped' };
    },
    async lookup(client, input, { signal }) {
      const found = await find({ client, signal }, input);
      return found !== 'absent' && 'mayBe' in found ? 'cannot tell' : found;
    },
    settleMs: SETTLE_MS,
  };
}

export const stateTaxCreate = creationOf<StateTaxCreateItem, 'stateTax.create'>({
  ...{ name: 'state-tax-create', submit: 'stateTax.create', list: 'stateTax.list', envelope: 'stateTax' },
  submitInput: ({ companyId, stateTax }) => ({ path: { companyId }, body: { stateTax } }),
  wordsOf: (row) => ['code', 'taxNumber', 'type'].map((field) => textField(row, field)),
  registrationOf: ({ stateTax }) => stateTax,
});

export const municipalTaxCreate = creationOf<MunicipalTaxCreateItem, 'municipalTax.create'>({
  ...{ name: 'municipal-tax-create', submit: 'municipalTax.create' },
  ...{ list: 'municipalTax.list', envelope: 'municipalTax' },
  submitInput: ({ companyId, municipalTax }) => ({ path: { companyId }, body: { municipalTax } }),
  wordsOf: (row) => [textField(fieldOf(row, 'city'), 'code'), textField(row, 'taxNumber')],
  registrationOf: ({ municipalTax }) => municipalTax,
});

function observed(registration: unknown): Observation {
  const resourceId = textField(registration, 'id');
  const remoteStatus = textField(registration, 'status');
  if (resourceId === undefined) return { state: 'uncertain', errorMessage: reasons.namelessCompany.en };
  return { state: 'succeeded', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

/** Nothing is sent beside a registration that may be this one: the service could have both. */
function unclear(row: unknown): Observation {
  const resourceId = textField(row, 'id');
  return {
    ...{ state: 'failed', errorCode: 'company.registration_unclear' },
    errorMessage: reasons.registrationUnseen.en,
    ...(resourceId === undefined ? {} : { resourceId }),
  };
}

interface Wanted<Input> {
  readonly registration: Registration<Input, Submit>;
  readonly input: Input;
}

/** `mayBe`: no row shows it, and this one contradicts nothing and leaves a word out. */
async function findRow<Input extends { readonly companyId: string }>(
  client: Client,
  signal: AbortSignal,
  { registration: { list, wordsOf, registrationOf }, input }: Wanted<Input>,
): Promise<Observation | 'absent' | { readonly mayBe: unknown }> {
  const wanted = wordsOf(registrationOf(input)).map(bare);
  const page = { path: { companyId: input.companyId }, query: { limit: PAGE } };
  let unseen: { readonly mayBe: unknown } | undefined;
  for await (const row of cursorRows(client, list, page, { signal })) {
    const words = wordsOf(row).map(bare);
    if (words.some((word, at) => word !== undefined && word !== wanted[at])) continue;
    if (!words.includes(undefined)) return observed(row);
    unseen ??= { mayBe: row };
  }
  return unseen ?? 'absent';
}

/** Some deployments show numbers with punctuation, or as JSON numbers without their leading zeros. */
function bare(text: string | undefined): string | undefined {
  return text
    ?.replaceAll(/[^0-9A-Z]/gi, '')
    .replace(/^0+/, '')
    .toUpperCase();
}
