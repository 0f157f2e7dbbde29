/** The first `limit` rows; `reading.isCut` tells afterwards whether there was one more. */
export async function* firstOf<Row>(
  rows: AsyncIterable<Row>,
  limit: number,
  reading: { isCut: boolean },
): AsyncGenerator<Row> {
  let given = 0;
  for await (const row of rows) {
    reading.isCut = given >= limit;
    if (reading.isCut) return;
    yield row;
    given += 1;
  }
}
