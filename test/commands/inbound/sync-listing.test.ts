import { expect, test } from 'vitest';
import { Listing } from '../../../src/commands/inbound/sync-listing.js';

test('who waits for the list is woken by what it keeps, and by its end', async () => {
  const listing = new Listing();
  const woken: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await listing.next();
    woken.push(name);
  };
  const first = [wait('a'), wait('b')];
  expect([woken, listing.isComplete]).toEqual([[], false]);
  listing.kept();
  await Promise.all(first);
  const last = wait('c');
  listing.end();
  await last;
  await wait('d');
  expect([woken, listing.isComplete]).toEqual([['a', 'b', 'c', 'd'], true]);
});
