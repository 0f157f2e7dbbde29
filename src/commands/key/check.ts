import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { identify, type Identified } from './identify.js';

/** Checks each value without network; `-` reads values from stdin, one a line. Invalid ones make it end with 2. */
export async function checkKeys(
  context: Pick<Context, 'stdin'>,
  values: readonly string[],
): Promise<Outcome<AsyncIterable<DataRecord>>> {
  let invalid = 0;
  async function* records(): AsyncGenerator<DataRecord> {
    for await (const value of allValues(context, values)) {
      const identified = identify(value);
      if (!identified.valid) invalid += 1;
      yield checkRecord(identified);
    }
  }
  return {
    data: records(),
    // Known only when the last record has been written.
    get exitCode() {
      return invalid === 0 ? ExitCode.ok : ExitCode.usage;
    },
  };
}

function checkRecord({ value, kind, valid, issues }: Identified): DataRecord {
  return {
    type: 'key',
    value,
    kind,
    valid,
    issues,
  };
}

async function* allValues(
  context: Pick<Context, 'stdin'>,
  values: readonly string[],
): AsyncGenerator<string> {
  for (const value of values) {
    if (value === '-') yield* linesOfStdin(context);
    else yield value;
  }
}

async function* linesOfStdin({ stdin }: Pick<Context, 'stdin'>): AsyncGenerator<string> {
  for await (const { text } of readLines(stdin.read(), { name: 'stdin', limitMib: 1 })) {
    if (text.trim() !== '') yield text.trim();
  }
}
