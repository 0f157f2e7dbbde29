import type { Text } from '../../contract/text.js';
import type { Trouble } from '../../presenters/ci.js';
import { isRecord, isStream } from '../../domain/record.js';
import { Prose } from '../../domain/prose.js';
import { scalarText } from '../../presenters/scalar.js';

type Row = Readonly<Record<string, unknown>>;

/** Further ones are only counted. */
const KEPT_TROUBLES = 50;
const KEPT_CLOSINGS = 4;

/** Collects what the CI report needs from the records on their way to stdout. */
export class Observed {
  readonly #closings: Row[] = [];
  /** How many checked things are in which state. */
  readonly #checked = new Map<string, number>();
  readonly troubles: Trouble[] = [];
  troubleCount = 0;

  /** The closing records of a batch; for a check, the counts of its states. */
  get closings(): readonly Row[] {
    return this.#checked.size === 0 ? this.#closings : [...this.#closings, Object.fromEntries(this.#checked)];
  }

  /** Returns the same data; a stream is observed while it is read. */
  watch(data: unknown): unknown {
    if (isStream(data)) return this.#watchStream(data);
    for (const record of Array.isArray(data) ? data : [data]) this.#see(record);
    return data;
  }

  add(trouble: Trouble): void {
    this.troubleCount += 1;
    if (this.troubles.length < KEPT_TROUBLES) this.troubles.push(trouble);
  }

  async *#watchStream(records: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const record of records) {
      this.#see(record);
      yield record;
    }
  }

  /** A finding of a check, with the next command. */
  #seeProblem(record: Row, problem: unknown): void {
    if (!isRecord(problem) || problem['level'] === 'info') return;
    const { message, next, code, level, family } = problem;
    const [en, pt] = isRecord(message) ? [message['en'], message['pt']] : [message, message];
    const text = (words: unknown): string => [words, next].map(scalarText).filter(Boolean).join('; ');
    this.add({
      what: nameOf({ ...record, family: scalarText(family) }),
      state: scalarText(code),
      reason: { en: text(en), pt: text(pt) },
      isWarning: level === 'warning',
    });
  }

  #see(record: unknown): void {
    if (!isRecord(record)) return;
    if (isClosing(record)) {
      if (this.#closings.length < KEPT_CLOSINGS) this.#closings.push(record);
      return;
    }
    const { problems, state } = record;
    if (Array.isArray(problems)) {
      this.#checked.set(scalarText(state), (this.#checked.get(scalarText(state)) ?? 0) + 1);
      for (const problem of problems) this.#seeProblem(record, problem);
      return;
    }
    const trouble = troubleOf(record);
    if (trouble !== undefined) this.add(trouble);
  }
}

/** True for the closing record of a batch, which has its exit code. */
function isClosing(record: Row): boolean {
  return typeof record['exitCode'] === 'number' && typeof record['type'] === 'string';
}

const badStates = new Set(['failed', 'rejected', 'uncertain', 'changed']);
const badTypes = new Set(['problem', 'gap', 'difference']);

function troubleOf(record: Row): Trouble | undefined {
  const type = scalarText(record['type']);
  const state = scalarText(record['state']);
  const isBad =
    badTypes.has(type) ||
    (type === 'item' && badStates.has(state)) ||
    (typeof record['errorCode'] === 'string' && state !== 'skipped');
  if (!isBad) return undefined;
  const kind = scalarText(record['kind'] ?? record['state'] ?? record['errorCode']);
  return { what: nameOf(record), state: kind, reason: reasonOf(record) };
}

const names = ['family', 'key', 'accessKey', 'path', 'sku', 'line'] as const;

/** The label, unless it is the id of a company; otherwise the fields that identify the thing. */
function nameOf(record: Row): string {
  const label = scalarText(record['label']);
  const id = scalarText(record['companyId']);
  if (label !== '' && label !== id) return label;
  const name = scalarText(record['companyName']);
  const company = name === '' ? id : `${name} (${id})`;
  return [company, ...names.map((field) => scalarText(record[field]))].filter((text) => text !== '').join(' ');
}

function reasonOf(record: Row): string | Text {
  const reason = record['error'] ?? record['reason'] ?? record['status'] ?? record['errorCode'];
  return reason instanceof Prose ? reason : scalarText(reason);
}
