/**
 * Works on everything at once until the signal. The first that fails ends the others, and is thrown when all have come to
 * their end.
 */
export async function runTogether(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const errors: unknown[] = [];
  await Promise.all(
    works.map((work) =>
      work(either).catch((error: unknown) => {
        errors.push(error);
        failed.abort();
      }),
    ),
  );
  if (errors.length > 0) throw errors[0];
}
