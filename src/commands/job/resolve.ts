import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Verdict } from '../../jobs/engine.js';
import { openStates } from '../../jobs/decide.js';
import type { ItemRow, Store } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { findJob } from '../../services/named-job.js';
import { type resolve, verdicts } from './commands.js';
import { labelsOf, ownJob, shownAnsweredItem, whoseJob } from './read.js';
import { sentenceOf } from '../../domain/sentence.js';

/**
 * Records what a person found out about an unresolved request: of the item with this id or its beginning, or of the job with only
 * one such item.
 */
export async function resolveUncertain(
  context: Context,
  { id, resource, ...given }: Given<typeof resolve>,
  io: Io,
): Promise<Outcome> {
  const as = given.as ?? (await askVerdict(io));
  if (resource !== undefined && as !== 'succeeded') throw new FiscalError('job.resource_without_success');
  const store = await context.store();
  const item = await askingItem(store, id);
  const job = await ownJob(context, item.jobId);
  const of = { profile: job.profile, label: await labelsOf(context, job) };
  if ((await context.settings()).dryRun)
    return { data: await shownAnsweredItem(store, item, of), notices: [unchanged(as)] };
  if (as === 'not-sent') await context.consent({ what: sendingAgain(item, await whoseJob(context, job)) });
  const after = await (await context.jobs()).resolve(item.id, verdictOf(as, resource));
  return {
    data: await shownAnsweredItem(store, after, of),
    sentence: sentenceOf(as === 'not-sent' ? 'open' : 'none', recorded[as](item.label)),
    notices: as === 'not-sent' ? [next(job.id)] : [],
  };
}

/** The command that others print has no verdict; the user chooses it here. */
async function askVerdict(io: Io): Promise<Verdict['is']> {
  if (io.mayAsk) {
    const question = io.language === 'pt' ? 'O que você encontrou no serviço?' : 'What did you find at the service?';
    const answer = await io.prompts.choose(question, verdicts);
    const verdict = verdicts.find((each) => each === answer);
    if (verdict !== undefined) return verdict;
  }
  throw new FiscalError('usage.missing', {
    names: {
      en: 'what you found (--as succeeded, --as failed or --as not-sent)',
      pt: 'o que você encontrou (--as succeeded, --as failed ou --as not-sent)',
    },
  });
}

async function askingItem(store: Store, id: string): Promise<ItemRow> {
  const item = await store.items.get(id);
  if (item !== undefined) return item;
  const named = await startingItem(store, id);
  if (named !== undefined) return named;
  const job = await findJob(store, id);
  const uncertain = await store.items.list(job.id, { states: ['uncertain'], limit: 2 });
  const asking = uncertain.length > 0 ? uncertain : await store.items.list(job.id, { states: openStates, limit: 2 });
  const [only] = asking;
  if (only !== undefined && asking.length === 1) return only;
  const code = only === undefined ? 'job.nothing_uncertain' : 'job.several_uncertain';
  throw new FiscalError(code, { id: job.id }, { jobId: job.id });
}

/** Shorter beginnings are those of too many ids. */
const SHORTEST = 4;
const MOST_SHOWN = 6;

/** The one item whose id begins so. Error: `job.item_ambiguous` for several, also for an item and a job. */
async function startingItem(store: Store, id: string): Promise<ItemRow | undefined> {
  const start = id.toLowerCase();
  if (start.length < SHORTEST) return undefined;
  const items = await store.items.startingWith(start, MOST_SHOWN + 1);
  if (items.length === 0) return undefined;
  const jobs = (await store.jobs.list({})).filter((job) => job.id.startsWith(start));
  const [only] = items;
  if (items.length === 1 && jobs.length === 0) return only;
  const found = [...items, ...jobs].map((one) => one.id);
  const ids = [...found.slice(0, MOST_SHOWN), ...(found.length > MOST_SHOWN ? ['…'] : [])].join(', ');
  throw new FiscalError('job.item_ambiguous', { id, ids }, { sent: 'no' });
}

function verdictOf(as: Verdict['is'], resource: string | undefined): Verdict {
  if (as !== 'succeeded') return { is: as };
  return resource === undefined ? { is: as } : { is: as, resourceId: resource };
}

function sendingAgain({ label, billed }: ItemRow, whose: Text): Text {
  return {
    en: `send ${label} again${billed ? ', which is billed,' : ''} (${whose.en}): if the first send did arrive, it will exist twice`,
    pt: `enviar ${label} de novo${billed ? ', o que é cobrado,' : ''} (${whose.pt}): se o primeiro envio chegou, ele existirá duas vezes`,
  };
}

function unchanged(as: string): Text {
  return {
    en: `nothing was changed; without --dry-run this item becomes: ${as}`,
    pt: `nada foi alterado; sem --dry-run este item passa a: ${as}`,
  };
}

function next(jobId: string): Text {
  return {
    en: `it is sent again by: fiscal job resume ${jobId}`,
    pt: `será enviado de novo por: fiscal job resume ${jobId}`,
  };
}

/** What was recorded is the finding of a person; the program has not verified it. */
const recorded: Readonly<Record<Verdict['is'], (label: string) => Text>> = {
  succeeded: (label) => ({ en: `${label}: recorded as succeeded`, pt: `${label}: registrado como concluído` }),
  failed: (label) => ({ en: `${label}: recorded as failed`, pt: `${label}: registrado como falha` }),
  'not-sent': (label) => ({ en: `${label}: recorded as not sent`, pt: `${label}: registrado como não enviado` }),
};
