import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { changesBetween, changeText, merge, type Change, type Fields } from '../merge-fields.js';
import { previewOne } from '../preview.js';
import { companyOf } from '../read-company.js';
import { notOffered } from './read-family.js';
import { givenSettings, isSettings, updatable, type SettingsFlags } from './settings-fields.js';
import { shownSettings } from './settings-show.js';

export interface SettingsRequest {
  readonly family: InboundFamily;
  readonly flags: SettingsFlags;
  /** The company's id, given where operations are to be disowned by the service on its own. */
  readonly confirm: string | undefined;
}

/** What is sent, and what it changes. */
interface Writing {
  readonly family: InboundFamily;
  readonly companyId: string;
  readonly verb: 'enable' | 'update';
  readonly body: Fields;
  readonly before: Fields;
  readonly after: Fields;
  readonly changes: readonly Change[];
  readonly isNew: boolean;
}

/**
 * Begins the capture of one family for a company. Where it stands already, what is not named stays as it is. Once enabled,
 * the cut-off moves only by `backfill start-from` (§2). Errors: `usage.*`, `service.unreadable`, those of a call.
 */
export async function enableInbound(context: Context, request: SettingsRequest): Promise<Outcome> {
  const { family, flags } = request;
  const companyId = await companyOf(context);
  const given = await givenSettings(context, family, flags);
  const standing = await readStanding(context, family, companyId);
  if (standing === undefined) {
    const changes = changesBetween({}, given);
    const whole = { body: given, before: {}, after: given, changes, isNew: true };
    return await write(context, request, { family, companyId, verb: 'enable', ...whole });
  }
  const named = withoutSame(given, standing);
  assertChangeable(named, companyId);
  // A second registration of NFS-e is refused by the service.
  const verb = family === 'nfse' ? 'update' : 'enable';
  return await writeOver(context, request, { companyId, verb, standing, named });
}

/**
 * Changes settings: they are read, merged with what was named at every depth, and sent. Errors: `usage.*` (a `startFromDate`
 * has an operation of its own, §2), `service.not_found`, `service.unreadable`, those of a call.
 */
export async function updateInbound(context: Context, request: SettingsRequest): Promise<Outcome> {
  const { family, flags } = request;
  const companyId = await companyOf(context);
  if (family === 'cte') throw noUpdate();
  const named = await givenSettings(context, family, flags);
  assertChangeable(named, companyId);
  if (Object.keys(named).length === 0) throw nothingNamed();
  const standing = await readStanding(context, family, companyId);
  if (standing === undefined) throw notEnabled(family, companyId);
  return await writeOver(context, request, { companyId, verb: 'update', standing, named });
}

interface Standing {
  readonly companyId: string;
  readonly verb: Writing['verb'];
  readonly standing: Fields;
  readonly named: Fields;
}

async function writeOver(
  context: Context,
  request: SettingsRequest,
  { companyId, verb, standing, named }: Standing,
): Promise<Outcome> {
  const { family } = request;
  const before = updatable(standing, family);
  const after = merge(before, named);
  const changes = changesBetween(before, after);
  const isActive = standing['status'] !== 'Inactive' && standing['isActive'] !== false;
  if (changes.length === 0 && (verb === 'update' || isActive)) {
    return { data: { family, ...standing, companyId }, notices: [nothingDiffers] };
  }
  // The update of NFS-e is partial (public); the others are not promised to keep what does not come.
  const body = family === 'nfse' ? named : after;
  return await write(context, request, {
    ...{ family, companyId, verb, body, before, after, changes, isNew: false },
  });
}

async function write(context: Context, { confirm }: SettingsRequest, writing: Writing): Promise<Outcome> {
  const { family, companyId, changes } = writing;
  const { dryRun, space } = await context.settings();
  if (dryRun) return { data: { ...(await preview(context, writing)), changes } };
  for (const change of changes) await context.notice(changeText(change));
  if (!writing.isNew || manifestsItself(writing)) {
    const confirmWith = { value: companyId, given: confirm };
    await context.consent({
      what: question(writing, space),
      ...(disowns(writing) ? { confirmWith } : {}),
    });
  }
  return await shownSettings(context, { family, companyId }, await send(context, writing));
}

async function preview(context: Context, writing: Writing) {
  const { family, verb, body, companyId } = writing;
  if (family === 'nfse' && verb === 'enable') {
    return await previewOne(context, 'nfse.inbound.enable', registration(companyId, body));
  }
  return await previewOne(context, operationOf(family, verb), { path: { companyId }, body });
}

async function send(context: Context, { family, verb, body, companyId }: Writing): Promise<unknown> {
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse' && verb === 'enable') {
    return (await client.call('nfse.inbound.enable', registration(companyId, body), how)).body;
  }
  return (await client.call(operationOf(family, verb), { path: { companyId }, body }, how)).body;
}

function registration(companyId: string, body: Fields) {
  return { path: {}, companyId, body: { companyId, ...body } };
}

function operationOf(family: InboundFamily, verb: Writing['verb']) {
  if (family === 'nfse') return 'nfse.inbound.update';
  if (family === 'cte') return 'cte.inbound.enable';
  return `nfe.inbound.${verb}` as const;
}

/** The settings that stand; `undefined` when the family is not enabled. An answer that is none is no reason to write. */
async function readStanding(
  context: Context,
  family: InboundFamily,
  companyId: string,
): Promise<Fields | undefined> {
  const client = await context.client();
  const operation = `${family}.inbound.settings` as const;
  const how = { signal: context.interruption };
  try {
    const { body, status } = await client.call(operation, { path: { companyId } }, how);
    const answer: unknown = body;
    if (isRecord(answer) && isSettings(answer, family, companyId)) return answer;
    const reason = {
      en: `it is not the settings of ${family} of company ${companyId}; nothing was changed`,
      pt: `não é a configuração de ${family} da empresa ${companyId}; nada foi alterado`,
    };
    throw new FiscalError('service.unreadable', { operation, status, reason }, { operation, sent: 'no' });
  } catch (error) {
    if (error instanceof FiscalError && error.facts.httpStatus === 404) return undefined;
    throw error;
  }
}

/** Where the capture began is history: named again with the same value it changes nothing. */
function withoutSame(given: Fields, standing: Fields): Fields {
  const fixed = ['startFromDate', 'startFromNsu', 'initialNsu'];
  const isSame = (name: string, value: unknown) =>
    fixed.includes(name) && dayOf(standing[name]) === dayOf(value);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isSame(name, value)));
}

/** A day and its midnight in UTC are the same cut-off. */
function dayOf(value: unknown): string {
  return String(value).replace(/T00:00:00(\.0+)?Z$/, '');
}

/** §2: the cut-off changes only by the maintenance operation; where the capture began is history. */
function assertChangeable(changes: Fields, companyId: string): void {
  if ('startFromDate' in changes) {
    const message = {
      en: 'startFromDate does not change once the capture is enabled; nothing was sent',
      pt: 'startFromDate não muda depois que a captura é ativada; nada foi enviado',
    };
    const command = `fiscal backfill start-from <date> --company ${companyId}`;
    const hint = {
      en: `the cut-off is moved by: ${command}`,
      pt: `a data de corte é alterada por: ${command.replace('<date>', '<data>')}`,
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no', hint });
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
function manifestsItself({ changes, after }: Writing): boolean {
  const touched = changes.some(({ field }) => /^(isA|a)utomaticManifest/.test(field));
  return (
    touched && (isRecord(after['automaticManifesting']) || after['isAutomaticManifestationEnabled'] === true)
  );
}

/** Whether the change makes the service disown operations (210220) on its own. */
function disowns({ before, after }: Writing): boolean {
  const minutes = disownMinutes(after);
  return minutes !== undefined && minutes !== disownMinutes(before);
}

function disownMinutes(settings: Fields): unknown {
  const automatic = settings['automaticManifesting'];
  return isRecord(automatic) ? (automatic['minutesToUnknownOperation'] ?? undefined) : undefined;
}

function question(writing: Writing, space: string): Text {
  const { family, companyId, changes, after } = writing;
  const count = changes.length;
  const automatic = manifestsItself(writing) ? automaticText : { en: '', pt: '' };
  const disowning = disowns(writing) ? disowningText(String(disownMinutes(after))) : automatic;
  return {
    en: `changing ${count} settings of ${family} for company ${companyId} (profile ${space})${disowning.en}`,
    pt: `alterar ${count} configurações de ${family} da empresa ${companyId} (perfil ${space})${disowning.pt}`,
  };
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
  const command = `fiscal inbound settings enable --type ${family} --company ${companyId}`;
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
      en: 'enable takes them again and keeps what it does not name: fiscal inbound settings enable --type cte',
      pt: 'enable as recebe de novo e mantém o que não é indicado: fiscal inbound settings enable --type cte',
    },
  );
}

const nothingDiffers: Text = {
  en: 'the settings are like that already; nothing was sent',
  pt: 'as configurações já estão assim; nada foi enviado',
};
