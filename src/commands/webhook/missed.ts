import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { companiesOf } from '../../services/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { undelivered, type Undelivered } from '../undelivered.js';
import type { MissedDocument } from './missed-document.js';
import { resendMissed } from './missed-resend.js';
import { sinceTime } from './time.js';

export interface MissedRequest {
  readonly allCompanies: boolean;
  readonly since: string | undefined;
  readonly types: readonly InboundFamily[];
  /** Those that arrived here as well. */
  readonly all: boolean;
  readonly resend: boolean;
}

const families = ['nfe', 'cte', 'nfse'] as const;

/**
 * The documents whose webhook the service did not deliver, compared with what this machine received. With `resend` the service
 * is asked, after consent, to deliver those that did not arrive. Exit 3 when some could not be asked for or read.
 * Errors: `usage.missing`, `usage.invalid_value`, `usage.confirmation_required`, those of a list.
 */
export async function missedWebhooks(context: Context, request: MissedRequest): Promise<Outcome> {
  if (request.since === undefined)
    throw new FiscalError('usage.missing', { names: '--since' }, { sent: 'no' });
  const since = sinceTime(request.since, context.clock.now());
  const companies = await companiesOf(context, { all: request.allCompanies });
  const reading: Reading = { companies, since, arrived: 0, unread: [] };
  if (!request.resend) {
    return {
      data: documents(context, request, reading),
      // Known only when the last document has been given.
      get exitCode() {
        return exitCodeOf(reading);
      },
      get notices() {
        return noticesOf(request, reading);
      },
    };
  }
  const missed: MissedDocument[] = [];
  for await (const row of documents(context, request, reading)) if (!row.arrived) missed.push(row);
  if (missed.length === 0) {
    const exitCode = exitCodeOf(reading);
    const said = exitCode === ExitCode.ok ? [nothingMissed] : [];
    return { data: [], exitCode, notices: [...noticesOf(request, reading), ...said] };
  }
  const { rows, failed } = await resendMissed(context, missed);
  return {
    data: rows,
    exitCode: failed === 0 ? exitCodeOf(reading) : ExitCode.partial,
    notices: noticesOf(request, reading),
  };
}

interface Reading {
  readonly companies: readonly AccountCompany[];
  readonly since: number;
  arrived: number;
  readonly unread: UnreadFamily[];
}

/** A family of a company that could not be read. */
interface UnreadFamily {
  readonly company: AccountCompany;
  readonly family: InboundFamily;
  readonly error: FiscalError;
}

async function* documents(
  context: Context,
  request: MissedRequest,
  reading: Reading,
): AsyncGenerator<MissedDocument> {
  for (const company of reading.companies) yield* documentsOf(context, request, { reading, company });
}

async function* documentsOf(
  context: Context,
  { types, all }: MissedRequest,
  { reading, company }: { readonly reading: Reading; readonly company: AccountCompany },
): AsyncGenerator<MissedDocument> {
  const [{ space: profile }, store] = await Promise.all([context.settings(), context.store()]);
  const { since } = reading;
  const { id: companyId } = company;
  for (const family of types.length === 0 ? families : types) {
    try {
      for await (const document of undelivered(context, { family, companyId, since })) {
        const arrived = await hasArrived(document, (resource) => store.deliveries.lastAt(profile, resource));
        if (arrived) reading.arrived += 1;
        if (all || !arrived) yield { type: 'missed-webhook', ...document, ...labelOf(company), arrived };
      }
    } catch (error) {
      if (types.length > 0 || !isNotThere(error)) throw error;
      reading.unread.push({ company, family, error });
    }
  }
}

/** A family that is not captured (404) has nothing to miss; one that the key may not read, or a company without any, may have. */
function exitCodeOf({ companies, unread }: Reading): ExitCode {
  const isHidden = unread.some(({ error }) => error.facts.httpStatus === 403);
  const nothingRead = companies.some(
    ({ id }) => unread.filter(({ company }) => company.id === id).length === families.length,
  );
  return isHidden || nothingRead ? ExitCode.partial : ExitCode.ok;
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

function notRead({ company, family, error }: UnreadFamily, isSole: boolean): Text {
  const of = companyText(company);
  const [en, pt] = isSole ? ['', ''] : [` of ${of}`, ` de ${of}`];
  return {
    en: `${family}${en} was not read: ${error.text.en}`,
    pt: `${family}${pt} não foi lido: ${error.text.pt}`,
  };
}

function noticesOf({ all }: MissedRequest, { companies, unread, arrived }: Reading): readonly Text[] {
  const notices = unread.map((one) => notRead(one, companies.length === 1));
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
