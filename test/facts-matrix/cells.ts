/** What one command said beside what the reader of the test says. */
export interface Difference {
  readonly command: string;
  readonly field: string;
  readonly subject: string;
  readonly got: unknown;
  readonly expected: unknown;
  readonly tags: readonly string[];
}

/** Counts what is compared, and keeps what differs. */
export class Cells {
  readonly differences: Difference[] = [];
  readonly #counts = new Map<string, number>();

  compare(
    {
      command,
      field,
      subject,
      tags = [],
    }: Pick<Difference, 'command' | 'field' | 'subject'> & { readonly tags?: readonly string[] },
    got: unknown,
    expected: unknown,
  ): void {
    this.#counts.set(command, (this.#counts.get(command) ?? 0) + 1);
    if (text(got) === text(expected)) return;
    this.differences.push({ command, field, subject, got, expected, tags });
  }

  /** Each of both sets is in the other one: a cell for each member. */
  compareSets(
    {
      command,
      field,
      tagsOf = () => [],
    }: Pick<Difference, 'command' | 'field'> & { readonly tagsOf?: (subject: string) => readonly string[] },
    got: Iterable<string>,
    expected: Iterable<string>,
  ): void {
    const [have, want] = [new Set(got), new Set(expected)];
    for (const subject of new Set([...have, ...want])) {
      const place = { command, field, subject, tags: tagsOf(subject) };
      this.compare(place, have.has(subject), want.has(subject));
    }
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  byCommand(): readonly (readonly [command: string, cells: number])[] {
    return [...this.#counts];
  }
}

function text(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'undefined');
}

/** One line for each kind of difference, with an example. */
export function summarised(differences: readonly Difference[]): string {
  const kinds = new Map<string, { count: number; example: Difference; tags: Map<string, number> }>();
  for (const difference of differences) {
    const { command, field, got, expected } = difference;
    // Months and amounts differ each in its own way; words and yes or no have kinds.
    const isWord = !/\d/.test(`${text(got)}${text(expected)}`);
    const kind = `${command} · ${field}${isWord ? ` · ${text(got)} for ${text(expected)}` : ''}`;
    const found = kinds.get(kind) ?? { count: 0, example: difference, tags: new Map<string, number>() };
    found.count += 1;
    for (const tag of difference.tags) found.tags.set(tag, (found.tags.get(tag) ?? 0) + 1);
    kinds.set(kind, found);
  }
  return [...kinds]
    .map(([kind, { count, example, tags }]) => {
      const shown = [...tags].toSorted((one, other) => other[1] - one[1]).slice(0, 9);
      return `${count} × ${kind} (${example.subject}: ${text(example.got)}, expected ${text(example.expected)}) ${shown.map(([tag, times]) => `${tag} ${times}`).join(', ')}`;
    })
    .join('\n');
}
