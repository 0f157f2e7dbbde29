import { cursorRows } from '../../client/list-rows.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { readCapture } from '../../jobs/resources/capture.js';
import { readRegistration, type RegistrationForm } from '../../jobs/resources/registration.js';
import type { Resource } from '../../jobs/resources/resource.js';
import { listWebhooks } from '../../jobs/resources/webhook.js';
import { fetchCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { fetchCompany } from '../../services/scope/account.js';

/** What the service has of one part, or why it could not be read. */
export type Seen<Value> = { readonly value: Value } | { readonly error: FiscalError };

const PAGE = 50;

/** Reads the parts of companies as they stand. Errors: those that concern every company (a refused key, an interruption). */
export class Present {
  constructor(private readonly context: Context) {}

  async company(companyId: string): Promise<Seen<JsonObject>> {
    return await this.#seen(async () => await fetchCompany(this.context, companyId));
  }

  /** As the resource reads it before a write. */
  async resource(resource: Resource): Promise<Seen<JsonObject | undefined>> {
    return await this.#seen(
      async () => await resource.read(await this.context.client(), { signal: this.context.interruption }),
    );
  }

  /** Whole, as a single read shows them. */
  async registrations(companyId: string, form: RegistrationForm): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => {
      const client = await this.context.client();
      const options = { signal: this.context.interruption };
      const page = { path: { companyId }, query: { limit: PAGE } };
      const found: JsonObject[] = [];
      for await (const row of cursorRows(client, `${form.envelope}.list`, page, options)) {
        const place = { companyId, id: textField(row, 'id') ?? '' };
        found.push(await readRegistration(client, form, { place, options }));
      }
      return found;
    });
  }

  async certificates(companyId: string): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => await fetchCertificates(this.context, companyId));
  }

  /** `undefined`: the family is not enabled. */
  async capture(companyId: string, family: InboundFamily): Promise<Seen<JsonObject | undefined>> {
    const how = { signal: this.context.interruption };
    return await this.#seen(async () => await readCapture(await this.context.client(), { family, companyId }, how));
  }

  async webhooks(): Promise<Seen<readonly JsonObject[]>> {
    return await this.#seen(async () => {
      return await listWebhooks(await this.context.client(), { signal: this.context.interruption });
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
