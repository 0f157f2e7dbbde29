/** The records of a batch come in the order in which its items end: the same in that of its input, the summary last. */
export function inputOrder<Row extends Readonly<Record<string, unknown>>>(records: readonly Row[]): readonly Row[] {
  const placeOf = ({ type, line }: Row): number => (type === 'item' ? Number(line ?? 0) : Number.POSITIVE_INFINITY);
  return records.toSorted((one, other) => {
    const [place, otherPlace] = [placeOf(one), placeOf(other)];
    return place === otherPlace ? 0 : place - otherPlace;
  });
}
