/** The first `limit` rows; `reading` tells afterwards how many were given, and whether there was one more. */
export async function* firstOf<Row>(
  rows: AsyncIterable<Row>,
  limit: number,
  reading: { given: number; isCut: boolean },
): AsyncGenerator<Row> {
  for await (const row of rows) {
    reading.isCut = reading.given >= limit;
    if (reading.isCut) return;
    reading.given += 1;
    yield row;
  }
}
