import { describe, expect, it } from 'vitest';
import { type ImportInput, readAgain, validateAll } from '../../../src/services/batch/import-input.js';

interface Row {
  readonly line: number;
  readonly name: string;
}

const invalid = { line: 2, problems: [{ field: 'name', message: { en: 'is empty', pt: 'está vazio' } }] };

/** An input whose first reading gives `first`, and every later one `later`. */
function inputOf(first: readonly (Row | typeof invalid)[], later = first): ImportInput<Row> & { readings: number } {
  return {
    readings: 0,
    name: 'rows.csv',
    async *records() {
      this.readings += 1;
      yield* this.readings === 1 ? first : later;
    },
    contentOf: ({ name }) => `${name}\n`,
    close: async () => {},
  };
}

async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const [tea, salt] = [
  { line: 1, name: 'tea' },
  { line: 3, name: 'salt' },
];

describe('the first read', () => {
  it('counts valid and invalid records', async () => {
    const seen: string[] = [];
    const found = await validateAll(inputOf([tea, invalid, salt]), ({ line }, content) => {
      seen.push(`${line} ${content}`);
    });
    expect(seen).toEqual(['1 tea\n', '3 salt\n']);
    expect({ valid: found.valid, first: found.first, invalid: found.problems.lines }).toEqual({
      valid: 2,
      first: tea,
      invalid: 1,
    });
    expect(found.problems.shown).toEqual([{ field: 'line 2: name', message: { en: 'is empty', pt: 'está vazio' } }]);
  });

  it('refuses an input without records, and only that', async () => {
    await expect(validateAll(inputOf([]), () => {})).rejects.toMatchObject({ code: 'input.empty' });
    expect((await validateAll(inputOf([invalid]), () => {})).first).toBeUndefined();
  });

  it('has the same digest for the same content, whatever the invalid records', async () => {
    const digests = await Promise.all(
      [[tea, salt], [tea, invalid, salt], [salt, tea], [tea]].map(
        async (rows) => (await validateAll(inputOf(rows), () => {})).digest,
      ),
    );
    expect(digests[1]).toBe(digests[0]);
    expect(new Set(digests).size).toBe(3);
  });
});

describe('a later read', () => {
  it('returns the valid records', async () => {
    const input = inputOf([tea, invalid, salt]);
    const found = await validateAll(input, () => {});
    expect(await allOf(readAgain(input, found))).toEqual([tea, salt]);
  });

  it.each([
    ['a record more', [tea, salt, { line: 4, name: 'rice' }]],
    ['a record less', [tea]],
    ['another content', [tea, { line: 3, name: 'sand' }]],
    ['another order', [salt, tea]],
  ])('refuses %s than the first, so that nothing is sent', async (_change, later) => {
    const input = inputOf([tea, salt], later);
    const found = await validateAll(input, () => {});
    await expect(allOf(readAgain(input, found))).rejects.toMatchObject({ code: 'input.changed' });
  });
});
