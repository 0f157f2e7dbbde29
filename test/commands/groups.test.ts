import { expect, test } from 'vitest';
import { singles } from '../../src/commands/groups.js';

test('the list of commands and the help of a command without a verb show the same summary', async () => {
  const entries = Object.entries(singles);
  const own = await Promise.all(
    entries.map(async ([name, { load }]) => [name, (await load()).command.summary] as const),
  );
  expect(own).toEqual(entries.map(([name, { summary }]) => [name, summary]));
});
