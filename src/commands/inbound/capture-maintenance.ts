import type { Given } from '../../cli/command.js';
import type { resetNsu as resetDefinition, run, show } from './capture-commands.js';
import { numberedRows } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companyOf, confirmedBy } from '../../services/scope/companies.js';
import { companyNamed } from '../../services/scope/text.js';
import { onlyNfse, whereCaptured } from './capture-show.js';
import { noteSpacing, obeySpacing } from './spacing.js';
import { isNumber } from '../../domain/json-numbers.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { sentenceOf } from '../../domain/sentence.js';

/** A company whose capture of NFS-e is maintained. */
function captureOf(companyId: string) {
  return { family: 'nfse', companyId } as const;
}

/**
 * Makes the service capture NFS-e now, with consent (202: it continues in the background). Sends nothing while the capture is
 * spaced: each further request at the source restarts the pause (656). `fromNsu`: where this capture begins (up to 15 digits).
 * Errors: `usage.invalid_value`, those of a call; `service.rate_limited` beyond --max-retry-wait.
 */
export async function fetchNow(context: Context, { fromNsu }: Given<typeof run>): Promise<Outcome> {
  if (fromNsu !== undefined && !isNsu(fromNsu)) throw notNsu(fromNsu, '--from-nsu');
  const companyId = await companyOf(context);
  const { dryRun, storeNamespace } = await context.settings();
  const path = { companyId };
  // At most 15 digits, so no digit is lost.
  const body = fromNsu === undefined ? {} : { body: { forcedStartNsu: Number(fromNsu) } };
  const input = { path, ...body };
  if (dryRun) return { data: await previewOne(context, 'nfse.fetchNow', input) };
  const company = await companyNamed(context, companyId);
  const from = fromNsu === undefined ? { en: '', pt: '' } : beginning(fromNsu);
  await context.consent({
    what: {
      en: `capturing the NFS-e of company ${company} now${from.en} (profile ${storeNamespace})`,
      pt: `capturar agora as NFS-e da empresa ${company}${from.pt} (perfil ${storeNamespace})`,
    },
  });
  const client = await context.client();
  const how = { signal: context.interruption };
  const capture = captureOf(companyId);
  return await whereCaptured(capture, async () => {
    const settings = await client.call('nfse.inbound.settings', { path }, how);
    await noteSpacing(context, capture, settings.body);
    await obeySpacing(context, capture);
    const answer = await client.call('nfse.fetchNow', input, how);
    const asked = { en: `capture requested for company ${company}`, pt: `captura pedida para a empresa ${company}` };
    return {
      data: { companyId, accepted: answer.status, ...answer.body },
      sentence: sentenceOf('open', asked),
      notices: [goesOn],
    };
  });
}

function beginning(nsu: string): Text {
  return {
    en: ` from NSU ${nsu} on: documents may be captured and billed again, or skipped`,
    pt: ` a partir do NSU ${nsu}: documentos podem ser capturados e cobrados de novo, ou ficar de fora`,
  };
}

function isNsu(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

const goesOn = {
  en: 'accepted; the service continues in the background (result: fiscal inbound capture show --notices)',
  pt: 'aceito; o serviço continua em segundo plano (resultado: fiscal inbound capture show --notices)',
};

/** All notices of the NFS-e capture of a company, unchanged, newest first as the service gives them. */
export async function captureNotices(context: Context, { type }: Given<typeof show>): Promise<Outcome> {
  if (type !== undefined && type !== 'nfse') throw onlyNfse();
  const companyId = await companyOf(context);
  const input = { path: { companyId } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'nfse.notifications', input) };
  const client = await context.client();
  const query = { pageCount: NOTICES_OF_A_PAGE };
  const pages = numberedRows(
    client,
    'nfse.notifications',
    { ...input, query, idField: 'id' },
    { signal: context.interruption },
  );
  const notices: Readonly<Record<string, unknown>>[] = [];
  await whereCaptured(captureOf(companyId), async () => {
    for await (const notice of pages) notices.push({ companyId, ...(isRecord(notice) ? notice : {}) });
  });
  return { data: notices };
}

const NOTICES_OF_A_PAGE = 100;

/** Makes the service resume a stopped or spaced capture of NFS-e, with consent. */
export async function reactivate(context: Context): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { dryRun, storeNamespace } = await context.settings();
  const input = { path: { companyId } };
  if (dryRun) return { data: await previewOne(context, 'nfse.reactivate', input) };
  const company = await companyNamed(context, companyId);
  await context.consent({
    what: {
      en: `reactivating the capture of NFS-e of company ${company} (profile ${storeNamespace})`,
      pt: `reativar a captura de NFS-e da empresa ${company} (perfil ${storeNamespace})`,
    },
  });
  const client = await context.client();
  const { body, status } = await whereCaptured(captureOf(companyId), () =>
    client.call('nfse.reactivate', input, { signal: context.interruption }),
  );
  const asked = {
    en: `reactivation requested for company ${company}`,
    pt: `reativação pedida para a empresa ${company}`,
  };
  return { data: { companyId, accepted: status, ...body }, sentence: sentenceOf('open', asked), notices: [accepted] };
}

const accepted = {
  en: 'accepted; whether the capture is active: fiscal inbound capture show --type nfse',
  pt: 'aceito; veja se a captura está ativa: fiscal inbound capture show --type nfse',
};

/**
 * Restarts the capture of NFS-e after an NSU, with consent that names the company: documents after it may be captured
 * and billed again, and a jump ahead skips documents. It is sent only once: a person has to check whether it arrived.
 * Errors: `usage.invalid_value`, `outcome.unknown`, those of a call.
 */
export async function resetNsu(context: Context, { nsu, confirm }: Given<typeof resetDefinition>): Promise<Outcome> {
  const companyId = await companyOf(context);
  if (!isNsu(nsu)) throw notNsu(nsu, 'NSU');
  const { dryRun } = await context.settings();
  const input = { path: { companyId }, body: { nsu } };
  if (dryRun) return { data: await previewOne(context, 'nfse.resetNsu', input) };
  const client = await context.client();
  const how = { signal: context.interruption };
  return await whereCaptured(captureOf(companyId), async () => {
    const { body: figures } = await client.call('nfse.statistics', { path: { companyId } }, how);
    const last = nsuIn(figures);
    const what = await whatHappens(context, { companyId, nsu, last });
    await context.consent({ what, confirmWith: confirmedBy(context, [companyId], confirm) });
    try {
      const { body, status } = await client.call('nfse.resetNsu', input, how);
      const asked = {
        en: `restart of the capture after NSU ${nsu} accepted`,
        pt: `reinício da captura depois do NSU ${nsu} aceito`,
      };
      return {
        data: { companyId, nsu, previousNsu: last ?? null, accepted: status, ...body },
        sentence: sentenceOf('open', asked),
      };
    } catch (error) {
      throw await explained(context, companyId, error);
    }
  });
}

function nsuIn(statistics: unknown): string | undefined {
  // Published as `currentNsu`.
  const last = fieldOf(statistics, 'lastNsu') ?? fieldOf(statistics, 'currentNsu');
  const text = isNumber(last) ? String(last) : last;
  return typeof text === 'string' && isNsu(text) ? text : undefined;
}

interface Reset {
  readonly companyId: string;
  readonly nsu: string;
  readonly last: string | undefined;
}

async function whatHappens(context: Context, { companyId, nsu, last }: Reset): Promise<Text> {
  const { storeNamespace } = await context.settings();
  const stands: Text =
    last === undefined
      ? { en: 'its current position is unknown', pt: 'a posição atual não é conhecida' }
      : { en: `it is at ${last}`, pt: `ela está em ${last}` };
  const effect = effectOf(nsu, last);
  const company = await companyNamed(context, companyId);
  return {
    en: `the NFS-e capture of company ${company} restarts after NSU ${nsu}; ${stands.en}: ${effect.en} (profile ${storeNamespace})`,
    pt: `a captura de NFS-e da empresa ${company} recomeça depois do NSU ${nsu}; ${stands.pt}: ${effect.pt} (perfil ${storeNamespace})`,
  };
}

function effectOf(nsu: string, last: string | undefined): Text {
  if (last !== undefined && BigInt(nsu) > BigInt(last)) {
    return {
      en: 'the documents between the two are NOT captured',
      pt: 'os documentos entre os dois NÃO são capturados',
    };
  }
  return { en: 'documents may be captured and billed again', pt: 'documentos podem ser capturados e cobrados de novo' };
}

/** A reset that may have arrived is not repeated: the capture may have started, and is billed. */
async function explained(context: Context, companyId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof FiscalError) || error.facts.sent !== 'unknown') return error;
  const { profile } = await context.settings();
  const line = fiscalLine({
    command: 'inbound capture show',
    flags: [['--notices', true]],
    company: companyId,
    profile,
  });
  return new FiscalError(
    'outcome.unknown',
    { reason: error.text },
    {
      ...error.facts,
      hint: {
        en: `check whether the reset was registered before you repeat it: ${line}`,
        pt: `verifique se o reinício foi registrado antes de repetir: ${line}`,
      },
    },
  );
}

function notNsu(value: string, name: string): FiscalError {
  const expected = { en: 'up to 15 digits are expected', pt: 'esperam-se até 15 algarismos' };
  return invalidValue(name, value, expected);
}
