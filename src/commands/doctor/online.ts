import type { Settings } from '../../config/settings.js';
import type { Clock } from '../../domain/world.js';
import type { Context } from '../../services/context.js';
import { problemOf, type Check } from './check.js';

/** Beyond this difference, deadlines and waiting times are told wrongly. */
const toleratedMs = 120_000;
const patienceMs = 10_000;

/** One harmless read: the service answers, and takes the invoice key. */
export async function checkService(context: Context): Promise<Check> {
  const check = 'service';
  try {
    const client = await context.client();
    await client.call('company.list', { path: {}, query: { limit: 1 } }, { signal: context.interruption });
    const found = { en: 'it answers and takes the invoice key', pt: 'ele responde e aceita a chave invoice' };
    return { check, status: 'ok', found };
  } catch (error) {
    return problemOf(check, error, {
      en: 'check the address, the key, and the proxy of this network',
      pt: 'verifique o endereço, a chave e o proxy desta rede',
    });
  }
}

/** Compares with the `Date` that the service's address tells to anybody; no key is sent. */
export async function checkClock(clock: Clock, { hosts, profile }: Settings): Promise<Check> {
  const check = 'clock';
  if (profile === 'sandbox' || hosts.product === undefined) {
    return { check, status: 'ok', found: { en: 'nothing to compare with', pt: 'nada com que comparar' } };
  }
  const theirs = await timeOf(hosts.product);
  if (theirs === undefined) {
    const found = { en: 'the service does not tell its time', pt: 'o serviço não informa o horário' };
    return { check, status: 'warn', found };
  }
  const seconds = Math.round(Math.abs(clock.now() - theirs) / 1_000);
  const found = { en: `${seconds} s from the service`, pt: `${seconds} s de diferença do serviço` };
  if (seconds * 1_000 <= toleratedMs) return { check, status: 'ok', found };
  const advice = { en: "set this machine's clock", pt: 'acerte o relógio desta máquina' };
  return { check, status: 'problem', found, advice };
}

async function timeOf(address: string): Promise<number | undefined> {
  const request = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(patienceMs) } as const;
  // Where it cannot be asked directly (a proxy, no network) the time is not known; `service` tells what is wrong.
  const answer = await fetch(address, request).catch(() => undefined);
  const time = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}
