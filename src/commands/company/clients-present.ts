import { cursorRows } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { readSettings } from '../../jobs/kinds/client-resources.js';
import { fetchCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { fetchCompany } from '../../services/scope/account.js';

/** What the service has of one part, or why it could not be read. */
export type Seen<Value> = { readonly value: Value } | { readonly error: FiscalError };

export const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

const PAGE = 50;

/** Reads the parts of companies as they stand. Errors: those that concern every company (a refused key, an interruption). */
export class Present {
  constructor(private readonly context: Context) {}

  async company(companyId: string): Promise<Seen<JsonObject>> {
    return await this.#seen(async () => await fetchCompany(this.context, companyId));
  }

  /** Whole, as a single read shows them. */
  async registrations(
    companyId: string,
    envelope: 'stateTax' | 'municipalTax',
  ): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => {
      const client = await this.context.client();
      const how = { signal: this.context.interruption };
      const page = { path: { companyId }, query: { limit: PAGE } };
      const found: JsonObject[] = [];
      for await (const row of cursorRows(client, `${envelope}.list`, page, how)) {
        const id = textField(row, 'id') ?? '';
        const { body } =
          envelope === 'stateTax'
            ? await client.call('stateTax.get', { path: { companyId, stateTaxId: id } }, how)
            : await client.call('municipalTax.get', { path: { companyId, municipalTaxId: id } }, how);
        const whole = fieldOf(body, envelope);
        found.push(isRecord(whole) ? whole : { id });
      }
      return found;
    });
  }

  async certificates(companyId: string): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => (await fetchCertificates(this.context, companyId)).filter(isRecord));
  }

  /** `undefined`: the family is not enabled. */
  async capture(companyId: string, family: InboundFamily): Promise<Seen<JsonObject | undefined>> {
    const how = { signal: this.context.interruption };
    return await this.#seen(
      async () => await readSettings(await this.context.client(), { family, companyId }, how),
    );
  }

  async webhooks(): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => {
      const client = await this.context.client();
      const how = { signal: this.context.interruption };
      const { body } = await client.call('webhook.list', { path: {} }, how);
      return rowsOf('webhook.list', body).filter(isRecord);
    });
  }

  async #seen<Value>(read: () => Promise<Value>): Promise<Seen<Value>> {
    try {
      return { value: await read() };
    } catch (error) {
      const isOfOne = error instanceof FiscalError && /^(?:service|network)\./.test(error.code);
      if (!isOfOne || error.facts.httpStatus === 401 || this.context.interruption.aborted) throw error;
      if (error.code === 'service.rate_limited') throw error;
      return { error };
    }
  }
}
