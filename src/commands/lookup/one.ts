import type { Text } from '../../contract/text.js';
import { isRecord } from '../../domain/record.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { askAbout, type LookupName } from '../../jobs/kinds/lookup.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/read-company.js';
import { AnswerCache, usualAgeMs } from './cache.js';
import { previewLookup } from './preview.js';
import { readSubject, shownNumber, type Subject } from './subject.js';

export interface LookupRequest {
  readonly name: LookupName;
  readonly number: string;
  readonly birthDate: string | undefined;
  /** Absent: what is usual for the kind. */
  readonly maxAgeMs: number | undefined;
  /** Asks the service, whatever is kept. */
  readonly refresh: boolean;
}

/**
 * One query (§4, §5), or the answer that this machine keeps of it. Errors: `input.invalid`; `service.not_found` (9) where nobody
 * holds the number; `service.unavailable` (5) where the source does not answer, which says nothing about it.
 */
export async function lookUp(context: Context, request: LookupRequest): Promise<Outcome> {
  const { name, refresh } = request;
  const subject = await requireSubject(context, request);
  if ((await context.settings()).dryRun) return { data: await previewLookup(context, name, subject) };
  const cache = new AnswerCache(context, name, request.maxAgeMs ?? usualAgeMs[name]);
  const kept = refresh ? undefined : await cache.fresh(subject.digest);
  if (kept !== undefined)
    return { data: withNumber(kept.answer, subject), notices: [keptSince(kept.fetchedAt)] };
  const client = await context.client();
  try {
    const { body } = await askAbout(client, name, { ...subject, signal: context.interruption });
    await cache.keep(subject, body);
    return { data: body };
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.unavailable')
      throw error.with({ hint: noVerdict });
    throw error;
  }
}

/** Checks what was typed. Error: `input.invalid`, which repeats no CPF. */
export async function requireSubject(
  context: Context,
  { name, number, birthDate }: Pick<LookupRequest, 'name' | 'number' | 'birthDate'>,
): Promise<Subject> {
  const companyId = name === 'cte' ? await companyOf(context) : undefined;
  const read = readSubject(name, { number, birthDate, companyId });
  if ('subject' in read) return read.subject;
  const details = [{ field: fields[name], message: read.problem }];
  const what = `${titles[name]} ${shownNumber(name, number)}`;
  throw new FiscalError('input.invalid', { what }, { sent: 'no', operation: `lookup.${name}`, details });
}

const titles = { cnpj: 'CNPJ', cpf: 'CPF', address: 'CEP', nfe: 'NF-e', cte: 'CT-e' } as const;
const fields = { cnpj: 'cnpj', cpf: 'cpf', address: 'cep', nfe: 'accessKey', cte: 'accessKey' } as const;

/** The kept answer of a CPF holds neither number nor date; who asks has just typed them. */
function withNumber(answer: unknown, { number, birthDate }: Subject): unknown {
  if (birthDate === undefined || !isRecord(answer)) return answer;
  return { federalTaxNumber: number, ...answer, birthOn: `${birthDate}T00:00:00.000Z` };
}

function keptSince(at: number): Text {
  const time = new Date(at).toISOString();
  return {
    en: `this is what the service said on ${time}; ask it again with --refresh`,
    pt: `isto é o que o serviço informou em ${time}; consulte de novo com --refresh`,
  };
}

const noVerdict: Text = {
  en: 'the source of the data does not answer; that does not mean that there is no such thing: try later',
  pt: 'a fonte dos dados não responde; isso não quer dizer que não exista: tente mais tarde',
};
