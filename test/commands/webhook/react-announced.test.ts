import { describe, expect, it } from 'vitest';
import { announcedGroup } from '../../../src/commands/webhook/react-announced.js';

function groupOf(event: string, payload: unknown) {
  return announcedGroup({ event, body: Buffer.from(JSON.stringify({ action: event, payload })) });
}

describe('the company and family of an announced document', () => {
  it.each([
    ['product_invoice_inbound.received', 'nfe'],
    ['transportation_invoice_inbound.received', 'cte'],
    ['service_invoice_inbound.received', 'nfse'],
    ['NFSE.INBOUND.Received', 'nfse'],
    ['inbound.nfe', 'nfe'],
    ['inbound_cte_received', 'cte'],
  ])('%s: %s', (event, family) => {
    expect(groupOf(event, { companyId: 'c-1' })).toEqual({ companyId: 'c-1', family });
  });

  it('may stand inside the company', () => {
    expect(groupOf('inbound.nfe', { company: { id: 'c-2' } })).toEqual({ companyId: 'c-2', family: 'nfe' });
  });

  it.each([
    ['product_invoice.issued_successfully', { companyId: 'c-1' }],
    ['product.active', { companyId: 'c-1' }],
    ['inbound.something', { companyId: 'c-1' }],
    ['inbound.nfe', { accessKey: '1' }],
    ['inbound.nfe', { companyId: '../../etc' }],
    ['inbound.nfe', { companyId: 7 }],
    ['inbound.nfe', { companyId: '' }],
    ['inbound.nfe', { company: 'c-1' }],
    ['inbound.nfe', null],
    ['inbound.nfe', 'c-1'],
  ])('is not known of %s with %j', (event, payload) => {
    expect(groupOf(event, payload)).toBeUndefined();
  });
});
