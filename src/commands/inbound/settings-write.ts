import { fiscalLine } from '../../domain/command-words.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { activityOf, isSettings } from '../../domain/capture-settings.js';
import { noteSettings } from '../../services/company/capture.js';
import type { Context } from '../../services/context.js';
import { differenceText, notShown } from '../../services/calls/merge-fields.js';
import { takenFrom, type Change, type JsonObject } from '../../domain/field-changes.js';
import { previewOne } from '../../services/calls/one-call.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { shownSettings } from './settings.js';
import { sentenceOf } from '../../domain/sentence.js';
import { companyText } from '../../services/scope/text.js';

/** What is sent for one company, and what it changes. */
export interface Writing {
  readonly family: InboundFamily;
  readonly company: AccountCompany;
  readonly verb: 'enable' | 'update';
  readonly body: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: readonly Change[];
  readonly isNew: boolean;
  /** `enable` claims that the capture is active. */
  readonly enables: boolean;
}

export async function preview(context: Context, writing: Writing) {
  const { family, verb, body, company } = writing;
  const { id: companyId } = company;
  if (family === 'nfse' && verb === 'enable') {
    return await previewOne(context, 'nfse.inbound.enable', registration(companyId, body));
  }
  return await previewOne(context, operationOf(family, verb), { path: { companyId }, body });
}

/**
 * Writes, and says what the service shows of it: the answer where it holds every field that was written, else one reading.
 * Errors: `outcome.unknown` for a field that is shown otherwise, `capture.not_active` after `enable`.
 */
export async function send(context: Context, writing: Writing): Promise<Outcome> {
  const { family, company } = writing;
  // Where the capture stands now moves on by itself.
  const written = writing.changes.filter(({ field }) => !/^(?:startFrom|initial)Nsu$/.test(field));
  const answer = await sendBody(context, writing);
  const isWhole =
    takenFrom(written, answer).unseen.length === 0 &&
    (!writing.enables || activityField(answer) !== undefined);
  const shown = isWhole ? answer : await readAfter(context, writing);
  const standing = isRecord(shown) ? { ...writing.after, ...shown } : writing.after;
  // The answer to a write need not say whether the capture is active; that is no news of it.
  if (shown !== answer || activityOf(standing) !== 'unclear')
    await noteSettings(context, { family, companyId: company.id }, standing);
  const { otherwise, unseen } = takenFrom(written, shown);
  if (otherwise.length > 0) throw notAsWritten(writing, differenceText(otherwise));
  if (writing.enables) assertActive(writing, shown, 'yes');
  const label = { family, companyId: company.id, ...labelOf(company) };
  const { notices = [], ...outcome } = await shownSettings(context, label, shown);
  const isProven = unseen.length === 0;
  return {
    ...outcome,
    sentence: sentenceOf(isProven ? 'good' : 'warn', writtenText(writing)),
    notices: isProven ? notices : [...notices, notShown(unseen)],
  };
}

function writtenText({ family, company, verb }: Writing): Text {
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

async function readAfter(context: Context, writing: Writing): Promise<unknown> {
  const { family, company } = writing;
  const input = { path: { companyId: company.id } };
  const client = await context.client();
  try {
    return (await client.call(`${family}.inbound.settings`, input, { signal: context.interruption })).body;
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw notAsWritten(writing, {
      en: `the service accepted it, but reading it back failed: ${error.text.en}`,
      pt: `o serviço aceitou, e a leitura de conferência falhou: ${error.text.pt}`,
    });
  }
}

/** The field that says whether a capture is active. */
function activityField(settings: unknown): string | undefined {
  const names = ['isActive', 'status', 'deactivatedAt'];
  return names.find((name) => (fieldOf(settings, name) ?? undefined) !== undefined);
}

/** Error: `capture.not_active` for a capture that is off, or of which the settings do not say that it is on. */
export function assertActive(
  { family, company }: Pick<Writing, 'family' | 'company'>,
  settings: unknown,
  sent: 'yes' | 'no',
): void {
  if (activityOf(settings) === 'active') return;
  const field = activityField(settings) ?? 'status';
  const shown = `${field} ${JSON.stringify(fieldOf(settings, field) ?? null).slice(0, 60)}`;
  const reason: Text =
    sent === 'yes'
      ? {
          en: `the service accepted the settings and shows ${shown}`,
          pt: `o serviço aceitou a configuração e mostra ${shown}`,
        }
      : {
          en: `the service shows ${shown}; nothing was sent`,
          pt: `o serviço mostra ${shown}; nada foi enviado`,
        };
  const isNfse = family === 'nfse';
  const command = isNfse
    ? fiscalLine({ command: 'inbound capture reactivate', company: company.id })
    : fiscalLine({ command: 'inbound capture show', flags: [['--type', family]], company: company.id });
  const hint = isNfse
    ? { en: `to resume it: ${command}`, pt: `para retomá-la: ${command}` }
    : { en: `see the current settings: ${command}`, pt: `veja a configuração atual: ${command}` };
  const values = { family, company: company.id, reason };
  throw new FiscalError('capture.not_active', values, { sent, retryable: false, hint });
}

function notAsWritten({ family, company }: Writing, reason: Text): FiscalError {
  const flags = [['--type', family]] as const;
  const command = fiscalLine({ command: 'inbound capture show', flags, company: company.id });
  const hint = { en: `see the current settings: ${command}`, pt: `veja a configuração atual: ${command}` };
  return new FiscalError('outcome.unknown', { reason }, { sent: 'yes', retryable: false, hint });
}

async function sendBody(context: Context, { family, verb, body, company }: Writing): Promise<unknown> {
  const { id: companyId } = company;
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse' && verb === 'enable') {
    return (await client.call('nfse.inbound.enable', registration(companyId, body), how)).body;
  }
  return (await client.call(operationOf(family, verb), { path: { companyId }, body }, how)).body;
}

function registration(companyId: string, body: JsonObject) {
  return { path: {}, companyId, body: { companyId, ...body } };
}

function operationOf(family: InboundFamily, verb: Writing['verb']) {
  if (family === 'nfse') return 'nfse.inbound.update';
  if (family === 'cte') return 'cte.inbound.enable';
  return `nfe.inbound.${verb}` as const;
}

/** The settings that stand; `undefined` when the family is not enabled. An answer that is none is no reason to write. */
export async function readStanding(
  context: Context,
  family: InboundFamily,
  companyId: string,
): Promise<JsonObject | undefined> {
  const client = await context.client();
  const operation = `${family}.inbound.settings` as const;
  const how = { signal: context.interruption };
  try {
    const { body, status } = await client.call(operation, { path: { companyId } }, how);
    const answer: unknown = body;
    if (isRecord(answer) && isSettings(answer, family, companyId)) {
      await noteSettings(context, { family, companyId }, answer);
      return answer;
    }
    const reason = {
      en: `the response is not the ${family} settings of company ${companyId}; nothing was changed`,
      pt: `não é a configuração de ${family} da empresa ${companyId}; nada foi alterado`,
    };
    throw new FiscalError('service.unreadable', { operation, status, reason }, { operation, sent: 'no' });
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.httpStatus !== 404) throw error;
    await noteSettings(context, { family, companyId }, undefined);
    return undefined;
  }
}
