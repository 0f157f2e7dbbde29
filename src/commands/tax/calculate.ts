import type { Text } from '../../contract/text.js';
import type { TaxCalculationInput } from '../../contract/tax.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { billedNotices, costOf } from '../../services/billed-notices.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { tenantOf } from '../../services/read-tenant.js';
import { readCalculation } from './read-calculation.js';
import { sampleCalculation } from './sample.js';

export interface CalculateRequest {
  /** JSON or YAML; a path, or `-` for standard input. */
  readonly file: string | undefined;
  /** Sends it as it was written, without the local check. */
  readonly unchecked: boolean;
  /** Gives a minimal valid body, and asks nothing of anybody. */
  readonly sample: boolean;
  readonly retryBillable: boolean;
}

/**
 * Has the engine calculate the taxes of an operation (§1; paths public). It changes nothing, but each call is billed, so one
 * whose outcome is unknown is made again only with `retryBillable`. Amounts come back as text and stay as they came.
 */
export async function calculateTaxes(context: Context, request: CalculateRequest): Promise<Outcome> {
  if (request.sample) return { data: sampleCalculation };
  const body = await readCalculation(context, request);
  const tenantId = await tenantOf(context);
  const input = { path: { tenantId }, body };
  if ((await context.settings()).dryRun) {
    return { data: { ...(await previewOne(context, 'tax.calculate', input)), billedCalls: 1 } };
  }
  return await send(context, { tenantId, body, retryBillable: request.retryBillable });
}

interface Sending {
  readonly tenantId: string;
  readonly body: TaxCalculationInput;
  readonly retryBillable: boolean;
}

async function send(context: Context, { tenantId, body, retryBillable }: Sending): Promise<Outcome> {
  const client = await context.client();
  const how = { billed: true, retryBillable, signal: context.interruption };
  try {
    const answer = await client.call('tax.calculate', { path: { tenantId }, body }, how);
    return { data: answer.body, notices: billedNotices(costOf(answer), 'engine') };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw error.with({ ...hintFor(error) });
  }
}

function hintFor(error: FiscalError): { readonly hint?: Text } {
  if (error.code === 'service.refused') return { hint: seeCodes };
  return error.facts.sent === 'unknown' ? { hint: perhapsBilled } : {};
}

const seeCodes: Text = {
  en: 'the codes that the engine knows: fiscal tax codes operation-code (also acquisition-purpose, issuer-tax-profile, recipient-tax-profile)',
  pt: 'os códigos que o motor conhece: fiscal tax codes operation-code (e acquisition-purpose, issuer-tax-profile, recipient-tax-profile)',
};

const perhapsBilled: Text = {
  en: 'it may have been billed, so it was not sent again; typing it again, or --retry-billable, may bill it twice',
  pt: 'a chamada pode ter sido cobrada, por isso não foi repetida; repetir o comando ou usar --retry-billable pode cobrar duas vezes',
};
