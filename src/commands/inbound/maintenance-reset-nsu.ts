import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { maintain } from './maintenance.js';
import { companyOf } from '../../services/read-company.js';
import { companyNamed } from '../../services/scope/text.js';

export interface ResetRequest {
  /** Up to 15 digits; the capture begins again after it. */
  readonly nsu: string;
  /** `--confirm`: the company, named once more. */
  readonly confirm: string | undefined;
}

/**
 * Begins the capture of NFS-e again after an NSU, with consent that names the company: documents behind it may be captured
 * and billed again, and a leap ahead leaves documents out. It is sent once: what became of it is told by a person.
 * Errors: `usage.invalid_value`, `outcome.unknown`, those of a call.
 */
export async function resetNsu(context: Context, { nsu, confirm }: ResetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  if (!/^\d{1,15}$/.test(nsu)) throw notNsu(nsu);
  const { dryRun } = await context.settings();
  const input = { path: { companyId }, body: { nsu } };
  if (dryRun) return { data: await previewOne(context, 'nfse.resetNsu', input) };
  const client = await context.client();
  const how = { signal: context.interruption };
  return await maintain(context, companyId, async () => {
    const { body: figures } = await client.call('nfse.statistics', { path: { companyId } }, how);
    const last = nsuIn(figures);
    const what = await whatHappens(context, { companyId, nsu, last });
    await context.consent({ what, confirmWith: { value: companyId, given: confirm } });
    try {
      const { body, status } = await client.call('nfse.resetNsu', input, how);
      return { data: { companyId, nsu, previousNsu: last ?? null, accepted: status, ...body } };
    } catch (error) {
      throw await explained(context, companyId, error);
    }
  });
}

function nsuIn(statistics: unknown): string | undefined {
  if (typeof statistics !== 'object' || statistics === null || !('lastNsu' in statistics)) return undefined;
  const { lastNsu } = statistics;
  const text = typeof lastNsu === 'number' ? String(lastNsu) : lastNsu;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? text : undefined;
}

interface Reset {
  readonly companyId: string;
  readonly nsu: string;
  readonly last: string | undefined;
}

async function whatHappens(context: Context, { companyId, nsu, last }: Reset): Promise<Text> {
  const { space } = await context.settings();
  const stands: Text =
    last === undefined
      ? { en: 'where it stands is not known', pt: 'não se sabe onde ela está' }
      : { en: `it stands at ${last}`, pt: `ela está em ${last}` };
  const effect = effectOf(nsu, last);
  const company = await companyNamed(context, companyId);
  return {
    en: `the capture of NFS-e of company ${company} begins again after NSU ${nsu}; ${stands.en}: ${effect.en} (profile ${space})`,
    pt: `a captura de NFS-e da empresa ${company} recomeça depois do NSU ${nsu}; ${stands.pt}: ${effect.pt} (perfil ${space})`,
  };
}

function effectOf(nsu: string, last: string | undefined): Text {
  if (last !== undefined && BigInt(nsu) > BigInt(last)) {
    return {
      en: 'the documents between the two are NOT captured',
      pt: 'os documentos entre os dois NÃO são capturados',
    };
  }
  return {
    en: 'documents may be captured and billed again',
    pt: 'documentos podem ser capturados e cobrados de novo',
  };
}

/** A reset that may have arrived is not sent again: the capture may have begun, and be billed. */
async function explained(context: Context, companyId: string, error: unknown): Promise<unknown> {
  if (!(error instanceof FiscalError) || error.facts.sent !== 'unknown') return error;
  const { profile } = await context.settings();
  const line = fiscalLine({ command: 'inbound maintenance notifications', company: companyId, profile });
  return new FiscalError(
    'outcome.unknown',
    { reason: error.text },
    {
      ...error.facts,
      hint: {
        en: `see whether the reset stands before you repeat it: ${line}`,
        pt: `veja se o recomeço foi registrado antes de repetir: ${line}`,
      },
    },
  );
}

function notNsu(value: string): FiscalError {
  const expected = { en: 'up to 15 digits are expected', pt: 'esperam-se até 15 algarismos' };
  return invalidValue('NSU', value, expected);
}
