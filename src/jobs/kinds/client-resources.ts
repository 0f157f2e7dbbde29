import type { Client } from '../../client/client.js';
import { rowsOf } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { activityOf, firstFields, isSettings, updatable } from '../../domain/capture-settings.js';
import { companyBody } from '../../domain/company-check.js';
import { type JsonObject, merge } from '../../domain/field-changes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { municipalTaxFields, stateTaxFields } from '../../domain/tax-registration-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from './answer-fields.js';
import type { Resource } from './client-change.js';
import type { ClientStep, Secrets } from './client-input.js';
import { sendable } from './registration-body.js';

/** A step with what is known when it is sent. */
export interface StepPlace {
  readonly step: ClientStep;
  readonly companyId: string;
  readonly secrets: Secrets | undefined;
}

/** The fields of a company; the others stay as they are. */
export function companyResource({ step, companyId }: StepPlace): Resource {
  const path = { companyId };
  return {
    ...commonOf(step),
    read: async (client, options) =>
      contentOf((await client.call('company.get', { path }, options)).body, 'company'),
    async write(client, standing = {}, options) {
      const body = merge(companyBody(standing), step.wanted);
      const { federalTaxNumber } = standing;
      const number = typeof federalTaxNumber === 'number' ? federalTaxNumber : String(federalTaxNumber);
      const company = { ...body, name: String(body['name']), federalTaxNumber: number };
      return await client.call('company.update', { path, body: { company } }, options);
    },
  };
}

/** A registration that exists. The number of its next invoice moves by itself: a repeat could put it back. */
export function registrationResource({ step, companyId }: StepPlace): Resource {
  const { resourceId: id = '', wanted } = step;
  const common = { ...commonOf(step), replay: 'unsafe' } as const;
  if (step.step === 'state-tax-update') {
    const path = { companyId, stateTaxId: id };
    return {
      ...common,
      read: async (client, options) =>
        contentOf((await client.call('stateTax.get', { path }, options)).body, 'stateTax'),
      async write(client, standing = {}, options) {
        const stateTax = stateTaxOf(merge(sendable(stateTaxFields, standing), wanted));
        return await client.call('stateTax.update', { path, body: { stateTax } }, options);
      },
    };
  }
  const path = { companyId, municipalTaxId: id };
  return {
    ...common,
    read: async (client, options) =>
      contentOf((await client.call('municipalTax.get', { path }, options)).body, 'municipalTax'),
    async write(client, standing = {}, options) {
      const municipalTax = merge(sendable(municipalTaxFields, standing), wanted);
      return await client.call('municipalTax.update', { path, body: { municipalTax } }, options);
    },
  };
}

/** The checks of the file have shown that these are its fields. */
export function stateTaxOf({ code, taxNumber, type, ...others }: JsonObject) {
  return { ...others, code: String(code), taxNumber: String(taxNumber), type: String(type) };
}

/** A certificate, which the service names by its SHA-1. */
export function certificateResource({ step, companyId, secrets }: StepPlace): Resource {
  const { file: path = '', thumbprint = '' } = step;
  return {
    ...{ replay: 'natural', wanted: {}, changes: [] },
    async read(client, options) {
      const { body } = await client.call('certificate.list', { path: { companyId } }, options);
      return rowsOf('certificate.list', body)
        .filter(isRecord)
        .find((row) => thumbprintIn(row) === thumbprint);
    },
    async write(client, _standing, options) {
      if (secrets === undefined) throw passwordNeeded(path);
      const body = await secrets.pfx(path, thumbprint);
      return await client.call('certificate.upload', { path: { companyId }, body }, options);
    },
    idOf: thumbprintIn,
  };
}

export function passwordNeeded(path: string): FiscalError {
  return new FiscalError('client.secret_needed', { path }, { sent: 'no', retryable: false });
}

/** Forty hexadecimal digits in capitals, without colons. */
export function thumbprintIn(row: unknown): string | undefined {
  return textField(row, 'thumbprint')?.replaceAll(':', '').toUpperCase();
}

/** The settings that are compared with those of a capture which stands. */
export function comparable(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !firstFields.includes(name)));
}

/** The capture of one family: enabled where it is off, changed where it is on. */
export function captureResource({ step, companyId }: StepPlace): Resource {
  const { family = 'nfe', wanted, changes = [] } = step;
  return {
    ...{ replay: 'natural', wanted: comparable(wanted), changes },
    read: async (client, options) => await readSettings(client, { family, companyId }, options),
    isActive: (standing) => activityOf(standing) === 'active',
    async write(client, standing, options) {
      const path = { companyId };
      if (family === 'nfse' && standing === undefined) {
        const body = { companyId, initialNsu: '0', ...wanted };
        return await client.call('nfse.inbound.enable', { path: {}, companyId, body }, options);
      }
      // The update of NFS-e is partial (public); the others are not promised to keep what does not come.
      if (family === 'nfse')
        return await client.call('nfse.inbound.update', { path, body: comparable(wanted) }, options);
      const body = standing === undefined ? wanted : merge(updatable(standing, family), comparable(wanted));
      return await client.call(`${family}.inbound.enable`, { path, body }, options);
    },
    idOf: () => undefined,
  };
}

/** `undefined`: the family is not enabled (404). Errors: `service.unreadable` for another answer; those of a call. */
export async function readSettings(
  client: Client,
  { family, companyId }: { readonly family: InboundFamily; readonly companyId: string },
  options: Parameters<Client['call']>[2],
): Promise<JsonObject | undefined> {
  const operation = `${family}.inbound.settings` as const;
  try {
    const { body, status } = await client.call(operation, { path: { companyId } }, options);
    const answer: unknown = body;
    if (isRecord(answer) && isSettings(answer, family, companyId)) return answer;
    const reason = { en: 'it is not the settings of this company', pt: 'não é a configuração desta empresa' };
    throw new FiscalError('service.unreadable', { operation, status, reason }, { operation, sent: 'yes' });
  } catch (error) {
    if (error instanceof FiscalError && error.facts.httpStatus === 404) return undefined;
    throw error;
  }
}

/** A webhook of the account, by its address. An update replaces the whole, so the secret goes with it. */
export function webhookResource({ step, secrets }: StepPlace): Resource {
  const { file = '', wanted, changes = [] } = step;
  const uri = String(wanted['uri']);
  return {
    ...{ replay: step.step === 'webhook' ? 'unsafe' : 'natural', wanted, changes },
    async read(client, options) {
      const { body } = await client.call('webhook.list', { path: {} }, options);
      return rowsOf('webhook.list', body)
        .filter(isRecord)
        .find((row) => row['uri'] === uri);
    },
    async write(client, standing, options) {
      if (secrets === undefined) throw passwordNeeded(file);
      const own = Object.entries(standing ?? {}).filter(([name]) => webhookFields.includes(name));
      const merged = merge({ contentType: 'json', status: 'Active', ...Object.fromEntries(own) }, wanted);
      const webHook = {
        ...merged,
        uri,
        contentType: 'json' as const,
        secret: await secrets.webhookSecret(file),
      };
      const webhookId = standing === undefined ? undefined : textField(standing, 'id');
      return webhookId === undefined
        ? await client.call('webhook.create', { path: {}, body: { webHook } }, options)
        : await client.call('webhook.update', { path: { webhookId }, body: { webHook } }, options);
    },
    idOf: (standing) => textField(standing, 'id'),
  };
}

const webhookFields: readonly string[] = ['status', 'filters', 'headers', 'insecureSsl', 'properties'];

function commonOf({ wanted, changes = [] }: ClientStep) {
  return { replay: 'natural', wanted, changes, idOf: (row: JsonObject) => textField(row, 'id') } as const;
}

function contentOf(body: unknown, envelope: string): JsonObject | undefined {
  const content = fieldOf(body, envelope);
  return isRecord(content) ? content : undefined;
}
