import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { companyOf } from '../read-company.js';
import { undelivered, type Undelivered } from '../undelivered.js';
import type { MissedDocument } from './missed-document.js';
import { resendMissed } from './missed-resend.js';
import { sinceTime } from './time.js';

export interface MissedRequest {
  readonly since: string | undefined;
  readonly types: readonly InboundFamily[];
  /** Those that arrived here as well. */
  readonly all: boolean;
  readonly resend: boolean;
}

const families = ['nfe', 'cte', 'nfse'] as const;

/**
 * The documents whose webhook the service did not deliver, compared with what this machine received. With `resend` the service
 * is asked, after consent, to deliver those that did not arrive. Exit 3 when some could not be asked for.
 * Errors: `usage.missing`, `usage.invalid_value`, `usage.confirmation_required`, those of a list.
 */
export async function missedWebhooks(context: Context, request: MissedRequest): Promise<Outcome> {
  if (request.since === undefined)
    throw new FiscalError('usage.missing', { names: '--since' }, { sent: 'no' });
  const since = sinceTime(request.since, context.clock.now());
  const companyId = await companyOf(context);
  const reading: Reading = { companyId, since, arrived: 0, notices: [] };
  if (!request.resend) {
    return {
      data: documents(context, request, reading),
      get notices() {
        return noticesOf(request, reading);
      },
    };
  }
  const missed: MissedDocument[] = [];
  for await (const row of documents(context, request, reading)) if (!row.arrived) missed.push(row);
  if (missed.length === 0) return { data: [], notices: [...noticesOf(request, reading), nothingMissed] };
  const { rows, failed } = await resendMissed(context, missed);
  return {
    data: rows,
    exitCode: failed === 0 ? ExitCode.ok : ExitCode.partial,
    notices: noticesOf(request, reading),
  };
}

interface Reading {
  readonly companyId: string;
  readonly since: number;
  arrived: number;
  readonly notices: Text[];
}

async function* documents(
  context: Context,
  { types, all }: MissedRequest,
  reading: Reading,
): AsyncGenerator<MissedDocument> {
  const [{ space: profile }, store] = await Promise.all([context.settings(), context.store()]);
  const { companyId, since } = reading;
  for (const family of types.length === 0 ? families : types) {
    try {
      for await (const document of undelivered(context, { family, companyId, since })) {
        const arrived = await hasArrived(document, (resource) => store.deliveries.lastAt(profile, resource));
        if (arrived) reading.arrived += 1;
        if (all || !arrived) yield { type: 'missed-webhook', ...document, arrived };
      }
    } catch (error) {
      if (types.length > 0 || !isNotThere(error)) throw error;
      reading.notices.push(notRead(family, error));
    }
  }
}

/** An event names a document by its id or by its key. */
async function hasArrived(
  { id, accessKey }: Undelivered,
  lastAt: (resource: string) => Promise<number | undefined>,
): Promise<boolean> {
  for (const resource of new Set([accessKey, id])) {
    if ((await lastAt(resource)) !== undefined) return true;
  }
  return false;
}

/** A family that the company does not capture, or that the key may not read. */
function isNotThere(error: unknown): error is FiscalError {
  return error instanceof FiscalError && [403, 404].includes(error.facts.httpStatus ?? 0);
}

function notRead(family: InboundFamily, error: FiscalError): Text {
  return {
    en: `${family} was not read: ${error.text.en}`,
    pt: `${family} não foi lido: ${error.text.pt}`,
  };
}

function noticesOf({ all }: MissedRequest, { notices, arrived }: Reading): readonly Text[] {
  if (all || arrived === 0) return notices;
  return [
    ...notices,
    {
      en: `${arrived} that the service counts as not delivered did arrive here: --all shows them`,
      pt: `${arrived} que o serviço conta como não entregues chegaram aqui: --all os mostra`,
    },
  ];
}

const nothingMissed: Text = {
  en: 'nothing is missing; nothing was sent',
  pt: 'nada está faltando; nada foi enviado',
};
