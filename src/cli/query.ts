import { FiscalError } from '../errors/fiscal-error.js';

export type Query = (data: unknown) => unknown;

/** JMESPath, loaded when `--query` is given. The expression is checked before the command runs. */
export async function compileQuery(expression: string): Promise<Query> {
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath');
  const compiled = guarded(expression, () => compile(expression));
  return (data) =>
    // A round through JSON: the query sees exactly what `-o json` would show.
    guarded(expression, () => TreeInterpreter.search(compiled, JSON.parse(JSON.stringify(data ?? null))));
}

function guarded<Result>(expression: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new FiscalError(
      'usage.invalid_value',
      { name: '--query', value: expression, expected: reason },
      { cause: error },
    );
  }
}
