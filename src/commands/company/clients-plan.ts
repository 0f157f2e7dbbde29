import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { activityOf } from '../../domain/capture-settings.js';
import type { TaxNumberForm } from '../../domain/company-check.js';
import type { Change, JsonObject } from '../../domain/field-changes.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { type ClientStep, clientStep, stepNames } from '../../jobs/kinds/client-step.js';
import { captureResource } from '../../jobs/resources/capture.js';
import { outOfUse, thumbprintIn } from '../../jobs/resources/certificate.js';
import { companyResource } from '../../jobs/resources/company.js';
import { type RegistrationForm, registrationForms, registrationResource } from '../../jobs/resources/registration.js';
import { type Plan, planOf, type Resource, seenOf } from '../../jobs/resources/resource.js';
import { sameAddress, webhookResource } from '../../jobs/resources/webhook.js';
import { endsSooner, type Judging } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { listAccount } from '../../services/scope/account.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { ClientPfx, FoundCertificates, PfxFault } from './clients-certificates.js';
import { type Client, type ClientFile, type ClientWebhook, registrationWords } from './clients-file.js';
import { Present, type Seen } from './clients-present.js';

/** `extra`: the service has it and the file does not; nothing is done about it. */
export type StepAction = 'create' | 'update' | 'unchanged' | 'blocked' | 'unread' | 'extra';

/** What the file wants of one resource, compared with the service. */
export interface PlannedStep {
  /** In the file; 0: it is not there. */
  readonly line: number;
  readonly cnpj: string;
  readonly companyName?: string;
  readonly companyId?: string;
  readonly step: ClientStep['step'];
  /** The resource among those of its kind: `SP 110042490114 NFe`, `nfe`. */
  readonly resource: string;
  readonly action: StepAction;
  readonly changes?: readonly Change[];
  readonly problem?: FiscalError;
  /** What a person must know before it is sent. */
  readonly warning?: Text;
  /** What is sent; its `after` is filled when the order is known. */
  readonly input?: Omit<ClientStep, 'after'>;
}

/** A step that is sent, with its place in the job. */
export interface OrderedStep extends PlannedStep {
  readonly ordinal: number;
  readonly input: ClientStep;
}

interface Sources {
  readonly file: ClientFile;
  readonly found: Pick<FoundCertificates, 'byClient' | 'faults' | 'unread'>;
}

/** Compares a file with the service. Errors: `input.invalid` for a company that cannot be created so; those of the reads. */
export async function planClients(context: Context, sources: Sources): Promise<readonly PlannedStep[]> {
  const { file, found } = sources;
  const { concurrency, sends } = await context.settings();
  const account = await listAccount(context);
  const problems = new LineProblems();
  const planner = new Planner(context, { account, form: sends.taxNumbers, problems, ...sources });
  let done = 0;
  try {
    const steps = await mapConcurrent(file.clients, concurrency, async (client) => {
      const planned = await planner.client(client);
      done += 1;
      context.progress.report({ label: comparing, done, total: file.clients.length });
      return planned;
    });
    const webhooks = file.webhooks.length === 0 ? [] : await planner.webhooks(file.webhooks);
    if (problems.lines > 0) throw problems.error(file.name);
    return [...steps.flat(), ...found.unread.map(ofNobody), ...webhooks, ...notInFile(account, file.clients)];
  } finally {
    context.progress.stop();
  }
}

/** The steps that are sent, companies first: each names those of its client that must have succeeded. */
export function inOrder(steps: readonly PlannedStep[]): readonly OrderedStep[] {
  const rank = ({ step }: PlannedStep): number => stepNames.findIndex((name) => name === step);
  const sent = steps
    .filter(({ action }) => action === 'create' || action === 'update')
    .toSorted((one, other) => rank(one) - rank(other));
  const before = new Map<string, number[]>();
  return sent.flatMap((step, index): readonly OrderedStep[] => {
    const { cnpj, input } = step;
    if (input === undefined) return [];
    const ordinal = index + 1;
    const earlier = before.get(cnpj) ?? [];
    const isBase = /^(?:company|certificate)/.test(step.step);
    if (isBase && cnpj !== '') before.set(cnpj, [...earlier, ordinal]);
    // A registration does not need the certificate, which comes after it anyway.
    return [{ ...step, ordinal, input: earlier.length === 0 ? input : { ...input, after: earlier } }];
  });
}

/** Whose certificate is in doubt may itself be in doubt: a file of another company may stand in the row of a wrong CNPJ. */
function withoutCertificate(steps: readonly PlannedStep[], { file, problem }: PfxFault): readonly PlannedStep[] {
  const [{ line, cnpj, companyId, companyName } = ofNobody({ file, problem })] = steps;
  const named = {
    ...{ line, cnpj },
    ...(companyId === undefined ? {} : { companyId }),
    ...(companyName === undefined ? {} : { companyName }),
  };
  const certificate = { ...named, ...ofFile({ file, problem }) };
  const waits = new FiscalError('client.step_blocked', { step: `certificate ${file}` }, { sent: 'no' });
  const others = steps
    .filter(({ step }) => step !== 'certificate')
    .map(
      ({ input, ...step }): PlannedStep =>
        input === undefined ? step : { ...step, action: 'blocked', problem: waits },
    );
  return [certificate, ...others];
}

function ofFile({ file, problem }: PfxFault) {
  return { step: 'certificate', resource: file, action: 'blocked', problem } as const;
}

/** A file that cannot be read may be of any client. */
function ofNobody(fault: PfxFault): PlannedStep {
  return { line: 0, cnpj: '', ...ofFile(fault) };
}

interface Base extends Sources {
  readonly account: readonly AccountCompany[];
  readonly form: TaxNumberForm;
  readonly problems: LineProblems;
}

/** So long a resource that was just created may be missing from a list. */
const SETTLE_MS = 10 * 60_000;

class Planner {
  readonly #present: Present;

  constructor(
    private readonly context: Context,
    private readonly base: Base,
  ) {
    this.#present = new Present(context);
  }

  async client(client: Client): Promise<readonly PlannedStep[]> {
    const steps = await this.#steps(client);
    const fault = this.base.found.faults.get(client.cnpj);
    return fault === undefined ? steps : withoutCertificate(steps, fault);
  }

  async #steps(client: Client): Promise<readonly PlannedStep[]> {
    const { cnpj, line } = client;
    const found = this.base.account.filter(({ taxNumber }) => taxNumber === cnpj);
    const [company, ...others] = found;
    const own = { line, cnpj };
    if (others.length > 0) return [blockedStep({ ...own, step: 'company', resource: '' }, several(found))];
    if (company === undefined) return await this.#newClient(client);
    const named = {
      ...own,
      companyId: company.id,
      ...(company.name === undefined ? {} : { companyName: company.name }),
    };
    const seen = await this.#present.resource(companyResource(company.id, this.base.form));
    const first =
      'error' in seen
        ? unread({ ...named, step: 'company', resource: '' }, seen.error)
        : this.#company(client, named, seen.value ?? {});
    return [first, ...(await this.#parts(client, named))];
  }

  async #newClient(client: Client): Promise<readonly PlannedStep[]> {
    const { cnpj, line, company } = client;
    const own = { line, cnpj, step: 'company', resource: '' } as const;
    const holder = await this.#earlier(`company ${cnpj}`);
    if (holder !== undefined) return [blockedStep(own, holder)];
    const resource = companyResource('', this.base.form);
    const plan = planOf(resource, undefined, { ...company, federalTaxNumber: cnpj });
    this.base.problems.add(line, resource.problems?.(plan) ?? []);
    const { merged: wanted } = plan;
    const name = textField(company, 'name');
    const named = { line, cnpj, ...(name === undefined ? {} : { companyName: name }) };
    const create: PlannedStep = { ...own, ...named, action: 'create', input: { step: 'company', wanted } };
    return [create, ...(await this.#parts(client, named))];
  }

  #company({ company: wanted, line }: Client, named: Named & { companyId: string }, standing: JsonObject): PlannedStep {
    const own = { ...named, step: 'company', resource: '' } as const;
    const resource = companyResource(named.companyId, this.base.form);
    const plan = planOf(resource, standing, wanted);
    if (plan.changes.length === 0) return { ...own, action: 'unchanged' };
    this.base.problems.add(line, resource.problems?.(plan) ?? []);
    return updated({ ...own, step: 'company-update' }, { resource, plan }, { wanted });
  }

  async #parts(client: Client, named: Named): Promise<readonly PlannedStep[]> {
    const { companyId } = named;
    const seen = async <Value>(read: (id: string) => Promise<Seen<Value>>, none: Value): Promise<Seen<Value>> =>
      companyId === undefined ? { value: none } : await read(companyId);
    const steps: PlannedStep[] = [];
    for (const form of Object.values(registrationForms)) {
      const wanted = form.kind === 'state' ? client.stateTaxes : client.municipalTaxes;
      if (wanted.length === 0) continue;
      const shown = await seen<readonly JsonObject[]>((id) => this.#present.registrations(id, form), []);
      steps.push(...(await this.#registrations(named, form, { wanted, shown })));
    }
    const certificate = this.base.found.byClient.get(client.cnpj);
    const thumbprint = certificate?.thumbprint ?? client.certificate.thumbprint;
    if (thumbprint !== undefined) {
      const shown = await seen<readonly JsonObject[]>((id) => this.#present.certificates(id), []);
      const judging = { now: this.context.clock.now(), taxNumber: client.cnpj };
      steps.push(certificateStep(named, { thumbprint, pfx: certificate, shown, judging }));
    }
    for (const [family, wanted] of Object.entries(client.capture)) {
      if (!isFamily(family)) continue;
      const shown = await seen<JsonObject | undefined>((id) => this.#present.capture(id, family), undefined);
      steps.push(captureStep(named, { family, wanted, shown }));
    }
    return steps;
  }

  async #registrations(
    named: Named,
    form: RegistrationForm,
    { wanted, shown }: { readonly wanted: readonly JsonObject[]; readonly shown: Seen<readonly JsonObject[]> },
  ): Promise<readonly PlannedStep[]> {
    const step = form.kind === 'state' ? 'state-tax' : 'municipal-tax';
    if ('error' in shown) return [unread({ ...named, step, resource: '' }, shown.error)];
    const steps: PlannedStep[] = [];
    for (const each of wanted) {
      const words = registrationWords(each);
      const own = { ...named, step, resource: words } as const;
      const found = shown.value.find((row) => registrationWords(row) === words);
      const earlier = found === undefined ? await this.#earlier(keyOf(own)) : undefined;
      if (found !== undefined) steps.push(registrationStep(own, form, { given: each, standing: found }));
      else if (earlier !== undefined) steps.push(blockedStep(own, earlier));
      else steps.push(created(own, { wanted: each }));
    }
    const known = new Set(wanted.map(registrationWords));
    const extra = shown.value.map(registrationWords).filter((words) => !known.has(words));
    return [
      ...steps,
      ...extra.map((resource): PlannedStep => ({ ...named, line: 0, step, resource, action: 'extra' })),
    ];
  }

  async webhooks(wanted: readonly ClientWebhook[]): Promise<readonly PlannedStep[]> {
    const seen = await this.#present.webhooks();
    const none = { line: 0, cnpj: '', step: 'webhook', resource: '' } as const;
    if ('error' in seen) return [unread(none, seen.error)];
    const steps: PlannedStep[] = [];
    for (const webhook of wanted) steps.push(await this.#webhook(webhook, seen.value));
    const isNamed = (address: string): boolean => wanted.some(({ uri }) => sameAddress(address, uri));
    const extra = seen.value.map((row) => textField(row, 'uri') ?? '?').filter((uri) => !isNamed(uri));
    return [...steps, ...extra.map((resource): PlannedStep => ({ ...none, resource, action: 'extra' }))];
  }

  async #webhook({ line, uri, fields, secretFile }: ClientWebhook, rows: readonly JsonObject[]): Promise<PlannedStep> {
    const own = { line, cnpj: '', step: 'webhook', resource: uri } as const;
    const [row, ...others] = rows.filter((each) => sameAddress(each['uri'], uri));
    if (others.length > 0) return blockedStep(own, filled(reasons.severalWebhooks, { uri }));
    const file = secretFile === undefined ? {} : { file: secretFile };
    if (row === undefined) {
      if (secretFile === undefined) return blockedStep(own, reasons.webhookNeedsSecret);
      const earlier = await this.#earlier(keyOf(own));
      return earlier === undefined ? created(own, { wanted: fields, ...file }) : blockedStep(own, earlier);
    }
    // A list need not show all of it.
    const resource = webhookResource({ id: textField(row, 'id') ?? '' }, () => Promise.resolve(undefined));
    const seen = await this.#present.resource(resource);
    if ('error' in seen) return unread(own, seen.error);
    const plan = planOf(resource, seen.value, fields);
    if (plan.changes.length === 0) return { ...own, action: 'unchanged' };
    const refusal = resource.refusal?.(plan);
    if (refusal !== undefined) return blockedStep(own, refusal.text, plan.changes);
    if (secretFile === undefined) return blockedStep(own, reasons.webhookNeedsSecret, plan.changes);
    return updated({ ...own, step: 'webhook-update' }, { resource, plan }, { wanted: fields, ...file });
  }

  /** Why a resource that is not listed is not created: an earlier run may have created it. */
  async #earlier(dedupeKey: string): Promise<Text | undefined> {
    const { items } = await this.context.store();
    const { storeNamespace: profile } = await this.context.settings();
    const key = { profile, kind: clientStep.name, dedupeKey };
    const holder = await items.holder(key);
    if (holder !== undefined && holder.state !== 'skipped')
      return filled(reasons.perhapsCreated, { job: holder.jobId });
    const since = this.context.clock.now() - SETTLE_MS;
    const [last] = await items.sentBefore(key);
    const isNew = last?.state === 'succeeded' && (last.settledAt ?? last.sentAt ?? 0) > since;
    return isNew ? reasons.createdNotShown : undefined;
  }
}

/** The text by which a resource is created once on this machine. */
export function keyOf({ cnpj, step, resource }: Pick<PlannedStep, 'cnpj' | 'step' | 'resource'>): string {
  return step === 'company' ? `company ${cnpj}` : `${cnpj} ${step} ${resource}`.trim();
}

type Named = Pick<PlannedStep, 'line' | 'cnpj' | 'companyId' | 'companyName'>;
type Own = Named & Pick<PlannedStep, 'step' | 'resource'>;

function isFamily(word: string): word is InboundFamily {
  return word === 'nfe' || word === 'cte' || word === 'nfse';
}

/** By these a registration is found; its next numbers move by themselves and count only when it is created. */
function changeable(registration: JsonObject): JsonObject {
  const {
    code: _code,
    taxNumber: _number,
    type: _type,
    number: _next,
    rpsNumber: _rps,
    city,
    ...others
  } = registration;
  if (!isRecord(city)) return others;
  const { code: _ibge, ...rest } = city;
  return Object.keys(rest).length === 0 ? others : { ...others, city: rest };
}

function registrationStep(
  own: Own,
  form: RegistrationForm,
  { given, standing }: { readonly given: JsonObject; readonly standing: JsonObject },
): PlannedStep {
  const wanted = changeable(given);
  const resourceId = textField(standing, 'id');
  const resource = registrationResource(form, { companyId: own.companyId ?? '', id: resourceId ?? '' });
  const plan = planOf(resource, standing, wanted);
  const { changes } = plan;
  if (changes.length === 0) return { ...own, action: 'unchanged' };
  if (resource.loss?.(plan) !== undefined) return blockedStep(own, reasons.mayLoseSecret, changes);
  if (resourceId === undefined) return blockedStep(own, reasons.shownWithoutId, changes);
  const step = own.step === 'state-tax' ? 'state-tax-update' : 'municipal-tax-update';
  return updated({ ...own, step }, { resource, plan }, { wanted, resourceId });
}

interface CertificateFacts {
  readonly thumbprint: string;
  readonly pfx: ClientPfx | undefined;
  readonly shown: Seen<readonly JsonObject[]>;
  readonly judging: Judging;
}

/** One that is there and not in use is sent again where its file is given; the service is at work on one that is pending. */
function certificateStep(named: Named, { thumbprint, pfx, shown, judging }: CertificateFacts): PlannedStep {
  const own = { ...named, step: 'certificate', resource: thumbprint } as const;
  if ('error' in shown) return unread(own, shown.error);
  const standing = shown.value.find((row) => thumbprintIn(row) === thumbprint);
  const fault = standing && outOfUse(standing, judging.now);
  if (standing !== undefined && fault === undefined) return { ...own, action: 'unchanged' };
  const changes = fault && [{ field: 'status', from: textField(standing, 'status') ?? fault, to: 'Active' }];
  if (fault === 'pending') return blockedStep(own, reasons.certificatePending, changes);
  if (pfx === undefined)
    return blockedStep(own, fault === undefined ? reasons.certificateWithoutPfx : reasons.certificateOutOfUse, changes);
  const warning = endsSooner(pfx, shown.value, judging);
  const step = created(own, { wanted: {}, file: pfx.path, thumbprint });
  return {
    ...step,
    ...(changes === undefined ? {} : { action: 'update', changes }),
    ...(warning === undefined ? {} : { warning }),
  };
}

interface CaptureFacts {
  readonly family: InboundFamily;
  readonly wanted: JsonObject;
  readonly shown: Seen<JsonObject | undefined>;
}

function captureStep(named: Named, { family, wanted, shown }: CaptureFacts): PlannedStep {
  const own = { ...named, step: 'capture', resource: family } as const;
  if ('error' in shown) return unread(own, shown.error);
  if (shown.value === undefined) return created(own, { wanted, family });
  const activity = activityOf(shown.value);
  if (activity === 'unclear' || (activity === 'inactive' && family === 'nfse'))
    return blockedStep(own, reasons.captureNotActive);
  const resource = captureResource({ family, companyId: named.companyId ?? '' });
  const plan = planOf(resource, shown.value, wanted);
  const step = updated(own, { resource, plan }, { wanted, family });
  if (activity === 'inactive') return { ...step, action: 'create' };
  return plan.changes.length === 0 ? { ...own, action: 'unchanged' } : step;
}

type Input = Omit<ClientStep, 'after' | 'step' | 'companyId'>;

function created(own: Own, input: Input): PlannedStep {
  return { ...own, action: 'create', input: inputOf(own, input) };
}

/** With what stood when it was planned, so that nobody else's change is written over. */
function updated(
  own: Own,
  { resource, plan }: { readonly resource: Resource; readonly plan: Plan },
  input: Input,
): PlannedStep {
  const seen = seenOf(resource, plan);
  return { ...own, action: 'update', changes: plan.changes, input: inputOf(own, { ...input, seen }) };
}

function inputOf({ step, companyId }: Own, input: Input): Omit<ClientStep, 'after'> {
  return { step, ...(companyId === undefined ? {} : { companyId }), ...input };
}

function blockedStep(own: Own, reason: Text, changes?: readonly Change[]): PlannedStep {
  const problem = new FiscalError('client.blocked', { reason }, { sent: 'no' });
  return { ...own, action: 'blocked', problem, ...(changes === undefined ? {} : { changes }) };
}

function unread(own: Own, problem: FiscalError): PlannedStep {
  return { ...own, action: 'unread', problem };
}

function notInFile(account: readonly AccountCompany[], clients: readonly Client[]): readonly PlannedStep[] {
  // A file of webhooks alone says nothing about companies.
  if (clients.length === 0) return [];
  const known = new Set(clients.map(({ cnpj }) => cnpj));
  return account
    .filter(({ taxNumber }) => taxNumber === undefined || !known.has(taxNumber))
    .map(({ id, name, taxNumber = '' }) => ({
      ...{ line: 0, cnpj: taxNumber, companyId: id, step: 'company', resource: '', action: 'extra' as const },
      ...(name === undefined ? {} : { companyName: name }),
    }));
}

const comparing: Text = { en: 'comparing clients', pt: 'comparando clientes' };

function several(found: readonly AccountCompany[]): Text {
  return filled(reasons.severalCompanies, { ids: found.map(({ id }) => id).join(', ') });
}
