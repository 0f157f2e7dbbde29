import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { activityOf, firstFields } from '../../domain/capture-settings.js';
import { fiscalLine } from '../../domain/command-words.js';
import { counted, nouns } from '../../domain/counted.js';
import { isSameValue, type JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { sentenceOf } from '../../domain/sentence.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { captureResource } from '../../jobs/resources/capture.js';
import type { Plan } from '../../jobs/resources/resource.js';
import {
  type Changing,
  changeOne,
  isAsItIs,
  linesOf,
  planChange,
  previewPlan,
  readAgain,
  removeOne,
  sendPlan,
} from '../../services/calls/change.js';
import { noteSettings } from '../../services/company/capture.js';
import type { Context } from '../../services/context.js';
import { companiesOf, confirmedBy, oneCompany } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import type { Given } from '../../cli/command.js';
import type { disable, SettingsOptions } from './capture-commands.js';
import { givenSettings } from './capture-fields.js';
import { requiredFamily, shownSettings } from './capture-show.js';
import { notOffered } from './document.js';

/**
 * Begins the capture of one family. Where it stands already, what is not named stays as it is. Once enabled, the cut-off
 * moves only by `backfill start-from` (§2). Errors: `usage.*`, `service.unreadable`, those of a call.
 */
export async function enableInbound(context: Context, options: SettingsOptions): Promise<Outcome> {
  const family = requiredFamily(options.type);
  const companies = await companiesOf(context, { all: options.allCompanies });
  const named = await givenSettings(context, family, options);
  return await changeSettings(context, { family, options, companies, named, verb: 'enable' });
}

/**
 * Changes settings: they are read, merged with what was named at every depth, and sent. Errors: `usage.*` (a `startFromDate`
 * has an operation of its own, §2), `service.not_found`, `service.unreadable`, those of a call.
 */
export async function updateInbound(context: Context, options: SettingsOptions): Promise<Outcome> {
  const family = requiredFamily(options.type);
  const companies = await companiesOf(context, { all: options.allCompanies });
  if (family === 'cte') throw noUpdate();
  const named = await givenSettings(context, family, options);
  assertChangeable(named, { family, companyId: companies.map(({ id }) => id).join(',') });
  if (Object.keys(named).length === 0) throw nothingNamed();
  return await changeSettings(context, { family, options, companies, named, verb: 'update' });
}

interface Work {
  readonly family: InboundFamily;
  readonly options: SettingsOptions;
  readonly companies: readonly AccountCompany[];
  readonly named: JsonObject;
  readonly verb: 'enable' | 'update';
}

async function changeSettings(context: Context, work: Work): Promise<Outcome> {
  const { companies, options } = work;
  const [company, ...others] = companies;
  if (company === undefined || others.length > 0 || options.allCompanies) return await changeMany(context, work);
  return await changeOne(context, changingOf(context, work, company));
}

/** What the change is for one company. `enable` claims that the capture is active. */
function changingOf(context: Context, work: Work, company: AccountCompany): Changing {
  const { family, named: written, verb, options } = work;
  const { id: companyId } = company;
  const resource = captureResource({ family, companyId }, verb);
  const enables = verb === 'enable';
  const again = ({ standing }: Plan): boolean => enables && family !== 'nfse' && activityOf(standing) === 'inactive';
  return {
    resource: {
      ...resource,
      async read(client, how) {
        const standing = await resource.read(client, how);
        await noteSettings(context, { family, companyId }, standing);
        return standing;
      },
    },
    written,
    again,
    check(plan) {
      const { standing } = plan;
      if (standing === undefined && !enables) throw notEnabled(family, companyId);
      if (standing === undefined) return;
      assertChangeable(withoutSame(written, standing), { family, companyId });
      if (enables && isAsItIs(plan, { again })) assertActive({ family, companyId }, standing, 'no');
    },
    async question(plan) {
      if (plan.standing === undefined && !manifestsItself(plan)) return undefined;
      const { storeNamespace } = await context.settings();
      const count = counted(plan.changes.length, nouns.setting);
      const effect = effectOf([plan]);
      const whose = companyText(company);
      return {
        what: {
          en: `changing ${count.en} of ${family} for company ${whose} (profile ${storeNamespace})${effect.en}`,
          pt: `alterar ${count.pt} de ${family} da empresa ${whose} (perfil ${storeNamespace})${effect.pt}`,
        },
        ...(disowns(plan) ? { confirmWith: confirmedBy(context, [companyId], options.confirm) } : {}),
      };
    },
    hooks: {
      // An answer need not show every setting that was sent.
      note: async (after, { merged }) => await noteSettings(context, { family, companyId }, { ...merged, ...after }),
    },
    shown: (settings) => ({ ...own(family, company), ...settings }),
    async done(after) {
      if (enables) assertActive({ family, companyId }, after, 'yes');
      const { notices = [] } = await shownSettings(context, { family, companyId }, after);
      return { text: doneText(work, company), notices };
    },
  };
}

function doneText({ family, verb }: Work, company: AccountCompany): Text {
  const whose = companyText(company);
  return verb === 'enable'
    ? {
        en: `capture of ${family} enabled for company ${whose}`,
        pt: `captura de ${family} ativada para a empresa ${whose}`,
      }
    : {
        en: `settings of ${family} updated for company ${whose}`,
        pt: `configurações de ${family} alteradas para a empresa ${whose}`,
      };
}

/** Error: `capture.not_active` for a capture that is off, or of which the settings do not say that it is on. */
function assertActive(
  { family, companyId: company }: { readonly family: InboundFamily; readonly companyId: string },
  settings: JsonObject,
  sent: 'yes' | 'no',
): void {
  if (activityOf(settings) === 'active') return;
  const isSaid = (name: string): boolean => (settings[name] ?? undefined) !== undefined;
  const field = ['isActive', 'status', 'deactivatedAt'].find(isSaid) ?? 'status';
  const shown = `${field} ${JSON.stringify(settings[field] ?? null).slice(0, 60)}`;
  const reason: Text =
    sent === 'yes'
      ? {
          en: `the service accepted the settings and shows ${shown}`,
          pt: `o serviço aceitou a configuração e mostra ${shown}`,
        }
      : { en: `the service shows ${shown}; nothing was sent`, pt: `o serviço mostra ${shown}; nada foi enviado` };
  const isNfse = family === 'nfse';
  const command = isNfse
    ? fiscalLine({ command: 'inbound capture reactivate', company })
    : fiscalLine({ command: 'inbound capture show', flags: [['--type', family]], company });
  const hint = isNfse
    ? { en: `to resume it: ${command}`, pt: `para retomá-la: ${command}` }
    : { en: `see the current settings: ${command}`, pt: `veja a configuração atual: ${command}` };
  throw new FiscalError('capture.not_active', { family, company, reason }, { sent, retryable: false, hint });
}

/** What became of one company among several. */
interface Row {
  readonly data: JsonObject;
  readonly isFailed: boolean;
  readonly notices: readonly Text[];
}

/** A company whose settings differ. */
interface Writing {
  readonly company: AccountCompany;
  readonly changing: Changing;
  readonly plan: Plan;
}

/**
 * Reads the settings of every company first, shows each difference, asks once, and then writes one company after the other.
 * A company that fails keeps its row, with the reason, and the others go on: exit 3. What concerns every company (an
 * interruption, a refused key) ends the run with its own exit code; the rows show what was written before.
 */
async function changeMany(context: Context, work: Work): Promise<Outcome> {
  const { family, companies } = work;
  const { dryRun } = await context.settings();
  const rows = new Map<string, Row>();
  const writings: Writing[] = [];
  for (const company of companies) {
    const changing = changingOf(context, work, company);
    const plan = await attempt(context, () => planChange(context, changing));
    if (plan instanceof FiscalError) rows.set(company.id, failedRow(family, company, plan));
    else if (!isAsItIs(plan, changing)) writings.push({ company, changing, plan });
    else {
      const data = await changing.shown(plan.standing ?? {}, plan);
      rows.set(company.id, { data, isFailed: false, notices: [] });
    }
  }
  if (writings.length > 0 && !dryRun) await askForMany(context, work, { writings, rows: [...rows.values()] });
  let end: FiscalError | undefined;
  for (const { company, changing, plan } of writings) {
    const { resource } = changing;
    if (end !== undefined) {
      rows.set(company.id, failedRow(family, company, end.with({ sent: 'no' })));
      continue;
    }
    const working = attempt(context, async () =>
      dryRun
        ? { data: await previewPlan(context, resource, plan) }
        : await sendPlan(context, changing, await readAgain(context, resource, plan)),
    );
    const outcome = await working.catch((error: unknown) => {
      if (dryRun || !(error instanceof FiscalError)) throw error;
      end = endOf(context, error);
      return end;
    });
    if (outcome instanceof FiscalError) rows.set(company.id, failedRow(family, company, outcome));
    else {
      const { data, notices = [] } = outcome;
      rows.set(company.id, { data: { ...own(family, company), ...data }, isFailed: false, notices });
    }
  }
  const inOrder = companies.flatMap(({ id }) => rows.get(id) ?? []);
  const ended = inOrder.some(({ isFailed }) => isFailed) ? ExitCode.partial : ExitCode.ok;
  return {
    data: inOrder.map(({ data }) => data),
    exitCode: end === undefined ? ended : end.exitCode,
    notices: [
      ...inOrder.flatMap(({ notices }) => notices),
      ...(end === undefined ? [] : await stoppedNotices(context, companies, end)),
    ],
  };
}

/** An interruption says so, whatever the call that it broke off says. */
function endOf({ interruption }: Pick<Context, 'interruption'>, error: FiscalError): FiscalError {
  const reason: unknown = interruption.reason;
  if (!interruption.aborted || !(reason instanceof FiscalError)) return error;
  return reason.with({ sent: error.facts.sent ?? 'unknown' });
}

async function stoppedNotices(
  context: Context,
  companies: readonly AccountCompany[],
  end: FiscalError,
): Promise<readonly Text[]> {
  const company = companies.map(({ id }) => id).join(',');
  const line = (await context.goOn.commandFor({ company, tenant: undefined, needsInput: true }))('');
  return [
    end.text,
    {
      en: `stopped early; the rows show what was written, and the same command writes only what still differs: ${line}`,
      pt: `parou antes do fim; o que foi gravado está nas linhas, e o mesmo comando grava só o que ainda difere: ${line}`,
    },
  ];
}

/** Errors: those that concern every company (no or a wrong key, an interruption), and what is no error of a call. */
async function attempt<Value>(context: Context, work: () => Promise<Value>): Promise<Value | FiscalError> {
  try {
    return await work();
  } catch (error) {
    const isOfOne = error instanceof FiscalError && !error.code.startsWith('auth.');
    if (!isOfOne || error.facts.httpStatus === 401 || context.interruption.aborted) throw error;
    return error;
  }
}

async function askForMany(
  context: Context,
  { family, options: { confirm } }: Work,
  { writings, rows }: { readonly writings: readonly Writing[]; readonly rows: readonly Row[] },
): Promise<void> {
  const { storeNamespace } = await context.settings();
  for (const { company, changing, plan } of writings) {
    const whose = companyText(company);
    for (const { en, pt } of linesOf(changing.resource, plan))
      await context.notice({ en: `${whose}: ${en}`, pt: `${whose}: ${pt}` });
  }
  const failed = rows.filter(({ isFailed }) => isFailed).length;
  const counts = {
    ...{ family, storeNamespace, failed, companies: writings.length, unchanged: rows.length - failed },
    begun: writings.filter(({ plan }) => plan.standing === undefined).length,
  };
  const disowning = writings.filter(({ plan }) => disowns(plan));
  const ids = disowning.map(({ company }) => company.id);
  await context.consent({
    what: manyText(counts, effectOf(writings.map(({ plan }) => plan))),
    ...(ids.length > 0 ? { confirmWith: confirmedBy(context, ids, confirm) } : {}),
  });
}

/** What the service then does on its own. */
function effectOf(plans: readonly Plan[]): Text {
  const minutes = [...new Set(plans.filter(disowns).map(({ after }) => String(disownMinutes(after))))];
  if (minutes.length > 0) return disowningText(minutes.join(', '));
  return plans.some(manifestsItself) ? automaticText : { en: '', pt: '' };
}

interface Counts {
  readonly family: InboundFamily;
  readonly storeNamespace: string;
  readonly companies: number;
  readonly begun: number;
  readonly unchanged: number;
  readonly failed: number;
}

function manyText({ family, storeNamespace, companies, begun, unchanged, failed }: Counts, effect: Text): Text {
  const many = counted(companies, nouns.company);
  return {
    en: `changing the settings of ${family} for ${many.en}, ${begun} of them new (${unchanged} already have these values, ${failed} cannot be changed; profile ${storeNamespace})${effect.en}`,
    pt: `alterar as configurações de ${family} de ${many.pt}, ${begun} delas novas (${unchanged} já estão assim, ${failed} não podem ser alteradas; perfil ${storeNamespace})${effect.pt}`,
  };
}

function own(family: InboundFamily, company: AccountCompany): JsonObject {
  return { family, companyId: company.id, ...labelOf(company) };
}

function failedRow(family: InboundFamily, company: AccountCompany, error: FiscalError): Row {
  const { code, text, facts } = error;
  const sent = facts.sent === undefined ? {} : { sent: facts.sent };
  return {
    data: { ...own(family, company), errorCode: code, error: new Prose(text), ...sent },
    isFailed: true,
    notices: [],
  };
}

/** Ends the capture of one family for a company, with consent: what arrives from then on is not captured. */
export async function disableInbound(context: Context, { type }: Given<typeof disable>): Promise<Outcome> {
  const family = requiredFamily(type);
  const company = await oneCompany(context);
  const { id: companyId } = company;
  const whose = companyText(company);
  return await removeOne(context, {
    operation: `${family}.inbound.disable`,
    input: { path: { companyId } },
    async question() {
      const { storeNamespace } = await context.settings();
      return {
        what: {
          en: `ending the capture of ${family} for company ${whose} (profile ${storeNamespace})`,
          pt: `encerrar a captura de ${family} da empresa ${whose} (perfil ${storeNamespace})`,
        },
      };
    },
    done: async (body) => await disabledOutcome(context, { family, company }, body),
  });
}

async function disabledOutcome(
  context: Context,
  { family, company }: { readonly family: InboundFamily; readonly company: AccountCompany },
  body: unknown,
): Promise<Outcome> {
  const { id: companyId } = company;
  const whose = companyText(company);
  const activity = answeredActivity(body);
  await noteSettings(context, { family, companyId }, activity === 'inactive' ? undefined : body);
  const disabled = { active: false, unclear: null, inactive: true }[activity];
  const data = { family, companyId, ...(isRecord(body) ? body : {}), disabled };
  if (disabled === true) {
    const ended = {
      en: `capture of ${family} ended for company ${whose}`,
      pt: `captura de ${family} encerrada para a empresa ${whose}`,
    };
    return { data, sentence: sentenceOf('good', ended) };
  }
  const show = fiscalLine({ command: 'inbound capture show', flags: [['--type', family]], company: companyId });
  const said =
    disabled === false
      ? { en: 'says that it is still active', pt: 'diz que ela continua ativa' }
      : { en: 'does not say whether it ended', pt: 'não diz se ela foi encerrada' };
  const open = {
    en: `the service took the request to end the capture of ${family} for company ${whose}, and its answer ${said.en}; look again: ${show}`,
    pt: `o serviço aceitou o pedido de encerrar a captura de ${family} da empresa ${whose}, e a resposta ${said.pt}; confira depois: ${show}`,
  };
  return { data, exitCode: ExitCode.partial, notices: [open] };
}

/** What an answer to the end of a capture says of it; one that says nothing confirms it. */
function answeredActivity(body: unknown): ReturnType<typeof activityOf> {
  const isSaid = ['isActive', 'status'].some((name) => (fieldOf(body, name) ?? null) !== null);
  return isSaid ? activityOf(body) : 'inactive';
}

/** Where the capture began is history: named again with the same value it changes nothing. */
function withoutSame(given: JsonObject, standing: JsonObject): JsonObject {
  const isSame = (name: string, value: unknown) =>
    firstFields.includes(name) && isSameValue(value, standing[name] ?? null, name);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isSame(name, value)));
}

/** §2: the cut-off changes only by the maintenance operation; where the capture began is history. */
function assertChangeable(
  changes: JsonObject,
  capture: { readonly family: InboundFamily; readonly companyId: string },
): void {
  if ('startFromDate' in changes) {
    const message = {
      en: 'startFromDate does not change once the capture is enabled; nothing was sent',
      pt: 'startFromDate não muda depois que a captura é ativada; nada foi enviado',
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no', hint: cutOffHint(capture) });
  }
  const fixed = ['startFromNsu', 'initialNsu'].find((name) => name in changes);
  if (fixed === undefined) return;
  const message = {
    en: `${fixed} does not change once the capture is enabled; nothing was sent`,
    pt: `${fixed} não muda depois que a captura é ativada; nada foi enviado`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** Whether the change makes the service submit events on its own that it did not submit before. */
function manifestsItself({ changes, after }: Plan): boolean {
  const touched = changes.some(({ field }) => /^(isA|a)utomaticManifest/.test(field));
  return touched && (isRecord(after['automaticManifesting']) || after['isAutomaticManifestationEnabled'] === true);
}

/** Whether the change makes the service disown operations (210220) on its own. */
function disowns({ before, after }: Plan): boolean {
  const minutes = disownMinutes(after);
  return minutes !== undefined && minutes !== disownMinutes(before);
}

function disownMinutes(settings: JsonObject): unknown {
  const automatic = settings['automaticManifesting'];
  return isRecord(automatic) ? (automatic['minutesToUnknownOperation'] ?? undefined) : undefined;
}

const automaticText: Text = {
  en: ': the service then submits events to the tax authority on its own',
  pt: ': o serviço passa a enviar eventos à autoridade fiscal sozinho',
};

function disowningText(minutes: string): Text {
  return {
    en: `: the service then disowns (210220) on its own every operation without another event after ${minutes} minutes`,
    pt: `: o serviço passa a desconhecer (210220) sozinho toda operação sem outro evento depois de ${minutes} minutos`,
  };
}

function nothingNamed(): FiscalError {
  const names = { en: 'a setting to change', pt: 'uma configuração a alterar' };
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

function notEnabled(family: InboundFamily, companyId: string): FiscalError {
  const flags = [['--type', family]] as const;
  const command = fiscalLine({ command: 'inbound capture enable', flags, company: companyId });
  const message = {
    en: `company ${companyId} has no capture of ${family}`,
    pt: `a empresa ${companyId} não tem captura de ${family}`,
  };
  const hint = { en: `to begin: ${command}`, pt: `para começar: ${command}` };
  return new FiscalError('service.not_found', { message }, { sent: 'no', httpStatus: 404, hint });
}

function noUpdate(): FiscalError {
  return notOffered(
    {
      en: 'the service has no operation that updates the settings of CT-e',
      pt: 'o serviço não tem operação que altere as configurações de CT-e',
    },
    {
      en: 'enable takes them again and keeps what it does not name: fiscal inbound capture enable --type cte',
      pt: 'enable as recebe de novo e mantém o que não é indicado: fiscal inbound capture enable --type cte',
    },
  );
}

/** The maintenance operation is one of NFS-e; no other family has one. */
function cutOffHint({ family, companyId }: { readonly family: InboundFamily; readonly companyId: string }): Text {
  if (family !== 'nfse') {
    const name = familyNames[family];
    return {
      en: `the service publishes no operation that moves the cut-off of ${name}; its support can say what is possible`,
      pt: `o serviço não publica nenhuma operação que altere a data de corte de ${name}; consulte o suporte do serviço`,
    };
  }
  const flags = fiscalLine({ command: 'backfill start-from', company: companyId });
  const command = flags.replace('start-from', 'start-from <date>');
  return {
    en: `the cut-off is moved by: ${command}`,
    pt: `a data de corte é alterada por: ${command.replace('<date>', '<data>')}`,
  };
}
