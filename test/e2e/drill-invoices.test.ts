import { describe, expect, it } from 'vitest';
import { drillInvoices } from '../../bench/drill/invoices.js';

const sizes = { kills: 4, seed: 3, faults: 'quick' } as const;

describe('invoices with faults after the effect and kill -9', () => {
  it('are issued once by fiscal, which reports it', async () => {
    // `npm run drill -- invoices` has NF-e and NFC-e as well.
    const mix = { nfse: 54, trusted: 3, distrusted: 3 };
    const found = await drillInvoices('fiscal', { mix, ...sizes });
    const { orders, once, twice, lost, toldWrong, kills, told } = found;
    expect({ orders, once, twice, lost, toldWrong, kills, uncertain: told.uncertain }).toEqual({
      orders: 60,
      once: 60,
      twice: 0,
      lost: 0,
      toldWrong: 0,
      kills: 4,
      uncertain: 0,
    });
  });

  it('are issued twice by a client that repeats every request without an answer', async () => {
    const { orders, twice, lost } = await drillInvoices('naive', { mix: { nfe: 60 }, ...sizes });
    expect([orders, lost, twice > 0]).toEqual([60, 0, true]);
  });
});
