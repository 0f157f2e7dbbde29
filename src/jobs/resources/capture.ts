import type { CallOptions, Client } from '../../client/client.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { activityOf, firstFields, isSettings, updatable } from '../../domain/capture-settings.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Plan, Resource, Write } from './resource.js';

export interface Capture {
  readonly family: InboundFamily;
  readonly companyId: string;
}

/**
 * The capture of one family for a company. Where it begins is said once, when it is enabled, and moves by itself from then on.
 * `verb`: `enable` takes the settings of NF-e again, `update` changes them, and without it what stands decides; the service has only
 * one of the two for CT-e, and takes no second registration of NFS-e.
 */
export function captureResource(capture: Capture, verb?: 'enable' | 'update'): Resource {
  const { family, companyId } = capture;
  const flags = [['--type', family]] as const;
  return {
    name: {
      en: `the capture of ${family} of company ${companyId}`,
      pt: `a captura de ${family} da empresa ${companyId}`,
    },
    see: fiscalLine({ command: 'inbound capture show', flags, company: companyId }),
    replay: 'natural',
    read: async (client, options) => await readCapture(client, capture, options),
    sendable: (standing) => updatable(standing, family),
    // The registration of NFS-e requires it (published); the shown changes say that 0 is sent.
    inItsWords: (written, standing) => {
      if (standing !== undefined) return withoutFirst(written);
      return family === 'nfse' ? { initialNsu: '0', ...written } : written;
    },
    request: (plan) => requestOf(capture, verb, plan),
    answered: (body) => (isRecord(body) ? body : undefined),
    isElsewhere: (field) => /^(?:startFrom|initial)Nsu$/.test(field),
    isActive: (standing) => activityOf(standing) === 'active',
    idOf: () => undefined,
  };
}

/** Where a capture begins is no change of one that stands. */
function withoutFirst(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !firstFields.includes(name)));
}

function requestOf({ family, companyId }: Capture, verb: 'enable' | 'update' | undefined, plan: Plan): Write {
  const { standing, written, merged } = plan;
  const path = { companyId };
  if (family === 'nfse' && standing === undefined)
    return { operation: 'nfse.inbound.enable', input: { path: {}, companyId, body: { companyId, ...merged } } };
  // The update of NFS-e is partial (public); the others are not promised to keep what does not come.
  if (family === 'nfse') return { operation: 'nfse.inbound.update', input: { path, body: withoutFirst(written) } };
  const isUpdate = verb === undefined ? activityOf(standing) === 'active' : verb === 'update';
  if (family === 'nfe' && isUpdate) return { operation: 'nfe.inbound.update', input: { path, body: merged } };
  return { operation: `${family}.inbound.enable`, input: { path, body: merged } };
}

/** The settings; `undefined`: the family is not enabled (404). Errors: `service.unreadable` for another answer; those of a call. */
export async function readCapture(
  client: Client,
  { family, companyId }: Capture,
  options: CallOptions,
): Promise<JsonObject | undefined> {
  const operation = `${family}.inbound.settings` as const;
  try {
    const { body, status } = await client.call(operation, { path: { companyId } }, options);
    const answer: unknown = body;
    if (isRecord(answer) && isSettings(answer, family, companyId)) return answer;
    const reason = {
      en: `the response is not the ${family} settings of company ${companyId}`,
      pt: `não é a configuração de ${family} da empresa ${companyId}`,
    };
    throw new FiscalError('service.unreadable', { operation, status, reason }, { operation, sent: 'no' });
  } catch (error) {
    if (error instanceof FiscalError && error.facts.httpStatus === 404) return undefined;
    throw error;
  }
}
