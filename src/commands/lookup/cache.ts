import { redactData } from '../../client/redact.js';
import { isRecord } from '../../domain/record.js';
import type { LookupName } from '../../jobs/kinds/lookup.js';
import type { AnswerRow } from '../../store/answers.js';
import type { Context } from '../../services/context.js';
import type { Subject } from './subject.js';

const DAY_MS = 86_400_000;

/** How old a kept answer may be: registry data change seldom, the state of a document at any moment. */
export const usualAgeMs: Readonly<Record<LookupName, number>> = {
  cnpj: 30 * DAY_MS,
  address: 30 * DAY_MS,
  cpf: DAY_MS,
  nfe: 0,
  cte: 0,
};

/** The answers that this machine keeps, of one profile and kind. */
export class AnswerCache {
  readonly #context: Context;
  readonly #name: LookupName;
  readonly #maxAgeMs: number;

  constructor(context: Context, name: LookupName, maxAgeMs: number) {
    this.#context = context;
    this.#name = name;
    this.#maxAgeMs = maxAgeMs;
  }

  /** One that is young enough. */
  async fresh(digest: string): Promise<AnswerRow | undefined> {
    if (this.#maxAgeMs <= 0) return undefined;
    const row = await this.any(digest);
    return row !== undefined && this.#age(row) < this.#maxAgeMs ? row : undefined;
  }

  /** The last one, however old. */
  async any(digest: string): Promise<AnswerRow | undefined> {
    const { space } = await this.#context.settings();
    const store = await this.#context.store();
    return await store.answers.get({ profile: space, kind: this.#name, digest });
  }

  async keep({ digest }: Pick<Subject, 'digest'>, answer: unknown): Promise<void> {
    const { space } = await this.#context.settings();
    const store = await this.#context.store();
    const kept = this.#name === 'cpf' ? impersonal(answer) : answer;
    const fetchedAt = this.#context.clock.now();
    await store.answers.put({ profile: space, kind: this.#name, digest, fetchedAt, answer: kept });
  }

  /** A clock that went back makes an answer as young as can be, never younger. */
  #age({ fetchedAt }: AnswerRow): number {
    return Math.max(0, this.#context.clock.now() - fetchedAt);
  }
}

/** Without the number and the date of birth, which who asks again types again. */
function impersonal(answer: unknown): unknown {
  if (!isRecord(answer)) return redactData(answer);
  const { federalTaxNumber: _number, birthOn: _birth, ...others } = answer;
  return redactData(others);
}
