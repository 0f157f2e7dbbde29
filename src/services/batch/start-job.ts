import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Replay } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import { formatUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { RunOptions, StartedJob, StartRequest } from '../../jobs/engine.js';
import { type WentBack, wentBackRefusal } from '../../store/seen-sends.js';
import type { StoreIdentity } from '../../store/store.js';
import type { Sender } from '../../jobs/senders.js';
import type { ConsentRequest, Context } from '../context.js';
import type { FollowOptions } from './follow.js';

/** A job to start; the command that resumes it is built from the words of this run. */
export interface JobRequest<Input> extends Omit<StartRequest<Input>, 'commandLine'> {
  /** The companies of a job for several, none where its input names them; the company of a job for one stands in `scope`. */
  readonly companies?: readonly string[];
  /** The items contain only part of the input: resuming needs the input again. */
  readonly needsInput?: boolean;
}

/**
 * Asks before a batch is sent. The same command would ask again, so an interrupted run goes on by its job, which has the consent.
 * Errors: those of `Context.consent`.
 */
export async function consentToBatch(context: Context, request: ConsentRequest): Promise<void> {
  await context.consent(request);
  context.goOn.byJobOnly();
}

/** Finds the job of this input, or writes it whole before anything is sent. */
export async function startJob<Input>(
  context: Context,
  { companies, needsInput, ...request }: JobRequest<Input>,
): Promise<StartedJob> {
  const { companyId, tenantId } = request.scope;
  const company = companies?.join(',') ?? companyId;
  const commandLine = await context.goOn.commandFor({ company, tenant: tenantId, needsInput });
  return await (await context.jobs()).start({ ...request, commandLine });
}

/** The options that the run of one item and the run of many have in common. */
export async function runOptions(
  context: Context,
  { wait, timeout, interval, retryBillable }: FollowOptions,
): Promise<Omit<RunOptions, 'concurrency' | 'onError' | 'lockWaitMs'>> {
  const { maxRetryWaitMs, resendAbsent, settleTimeMs } = await context.settings();
  return {
    ...{ wait, intervalMs: interval, retryBillable, maxRetryWaitMs, resendAbsent },
    ...(wait ? { timeoutMs: timeout } : {}),
    ...(settleTimeMs === undefined ? {} : { settleMs: settleTimeMs }),
    onNewStore: (replay, sender) => sayNewStore(context, replay, sender),
    onSendWithoutLookup: (reason) => announceSendWithoutLookup(context, reason),
    signal: context.interruption,
  };
}

/**
 * Before something billed or irreversible is sent, warns when this store knows no earlier sends, or lacks some of
 * them. Errors with `--require-store`: `store.required`, `store.went_back`; nothing is sent. The built-in sandbox bills nothing.
 */
async function sayNewStore(context: Context, replay: Replay, sender: Sender): Promise<void> {
  const { identity, place: path } = await context.store();
  const { requireStore, profile, storeNamespace } = await context.settings();
  if (profile === sandboxProfile.name && !requireStore) return;
  if (identity.wentBack !== undefined) {
    if (requireStore) throw wentBackRefusal(path);
    return await context.notice(wentBack(path, identity.wentBack));
  }
  if (requireStore)
    throw new FiscalError('store.required', { path, profile: storeNamespace }, { sent: 'no', hint: requireHint });
  // The service refuses a natural repeat itself.
  if (replay === 'natural') return;
  const [other] = sender.others;
  if (other !== undefined) await context.notice(otherProfile(path, { profile: storeNamespace, other }));
  else if (sender.isNew && !identity.isNew) await context.notice(newProfile(path, storeNamespace));
  else await context.notice(noticeOf(identity, path));
}

/** Warns when the service cannot tell whether another machine already made this send. */
async function announceSendWithoutLookup(context: Context, reason: Text): Promise<void> {
  await context.notice({
    en: `the service could not say whether another machine has sent the same (${reason.en}); it is sent anyway`,
    pt: `não foi possível perguntar ao serviço se outra máquina já enviou o mesmo (${reason.pt}); o envio segue sem essa consulta`,
  });
}

function noticeOf({ isNew }: StoreIdentity, path: string): Text {
  if (isNew) return newStore(path);
  return path.startsWith('postgres:') ? changedServer(path) : lostRows(path);
}

function newStore(path: string): Text {
  return {
    en: `this store is new (${path}): it does not know what another machine, or an earlier store, has sent, and would send it again`,
    pt: `este arquivo de estado é novo (${path}): o que outra máquina, ou um arquivo anterior, já enviou não é conhecido aqui e seria enviado de novo`,
  };
}

function wentBack(path: string, { to, until }: WentBack): Text {
  const after = to === 0 ? undefined : formatUtc(to);
  return {
    en: `this store was put back (${path}): it lacks what was sent${after === undefined ? '' : ` after ${after}`} until ${formatUtc(until)}; what looks unsent in it is looked up or left to you`,
    pt: `este estado voltou a uma situação anterior (${path}): falta o que foi enviado${after === undefined ? '' : ` depois de ${after}`} até ${formatUtc(until)}; o que nele parece não enviado é consultado ou fica para você`,
  };
}

interface Profiles {
  readonly profile: string;
  readonly other: string;
}

function otherProfile(path: string, { profile, other }: Profiles): Text {
  return {
    en: `the profile ${other} has sent for this account from this store (${path}), and the profile ${profile} has not: what ${other} has sent is not known to it, and would be sent again; to send with what is known: --profile ${other}`,
    pt: `o perfil ${other} já enviou para esta conta com este estado (${path}), e o perfil ${profile} não: o que ${other} enviou não é conhecido por ele e seria enviado de novo; para enviar com o que já se conhece: --profile ${other}`,
  };
}

function newProfile(path: string, profile: string): Text {
  return {
    en: `the profile ${profile} has sent nothing from this store yet (${path}): it does not know what another profile or machine has sent, and would send it again`,
    pt: `o perfil ${profile} ainda não enviou nada com este estado (${path}): o que outro perfil ou outra máquina já enviou não é conhecido por ele e seria enviado de novo`,
  };
}

function lostRows(path: string): Text {
  return {
    en: `the newest rows of this store were lost with its journal (${path}-wal): the last sends are unknown and could be repeated`,
    pt: `as linhas mais novas deste arquivo de estado se perderam com o diário (${path}-wal): os últimos envios não são conhecidos aqui e poderiam ser enviados de novo`,
  };
}

function changedServer(path: string): Text {
  return {
    en: `the server of this store (${path}) failed over or was restored: what was added in its last moments may be missing here, and would be sent again`,
    pt: `o servidor deste estado (${path}) passou para uma réplica ou foi restaurado: o que entrou nos últimos momentos pode faltar aqui, e seria enviado de novo`,
  };
}

const requireHint: Text = {
  en: 'use the profile that has sent for this account (--profile), restore the state folder, or run once without --require-store (FISCAL_REQUIRE_STORE) if nothing was ever sent; products of an exported list: fiscal store adopt FILE',
  pt: 'use o perfil que já enviou para esta conta (--profile), restaure a pasta de estado, ou execute uma vez sem --require-store (FISCAL_REQUIRE_STORE) se nada foi enviado antes; produtos de uma lista exportada: fiscal store adopt ARQUIVO',
};
