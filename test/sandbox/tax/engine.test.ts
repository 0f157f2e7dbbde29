import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { calculatePath } from '../../facts/tax.js';

const service = testService();

const sale = { id: '1', operationCode: 121, origin: 'National', quantity: 1, unitAmount: 1000 };
interface Asked {
  readonly from?: string;
  readonly to?: string;
  readonly regime?: string;
  readonly way?: string;
  readonly item?: object;
}

async function tax({ from = 'SP', to = 'SP', regime = 'RealProfit', way = 'Outgoing', item = {} }: Asked) {
  const body = {
    issuer: { state: from, taxRegime: regime },
    recipient: { state: to },
    operationType: way,
    items: [{ ...sale, ...item }],
  };
  const { json } = await service.send('POST', calculatePath(service.ready().tenantId), { body });
  return json.items[0];
}

afterEach(() => service.control('POST', 'reset'));

describe('the rule of the engine', () => {
  it.each([
    [{ from: 'SP', to: 'SP' }, 5102, '18.00'],
    [{ from: 'SP', to: 'RJ' }, 6102, '12.00'],
    [{ from: 'SP', to: 'BA' }, 6102, '7.00'],
    [{ from: 'BA', to: 'SP', item: { operationCode: 122 } }, 6101, '12.00'],
    [{ from: 'RJ', to: 'RJ', way: 'Incoming', item: { operationCode: 221 } }, 1102, '20.00'],
    [{ from: 'SP', to: 'MG', way: 'Incoming', item: { operationCode: 231 } }, 2551, '12.00'],
    [{ from: 'EX', to: 'SP', way: 'Incoming', item: { operationCode: 221 } }, 3102, '18.00'],
  ])('for %j: CFOP %i at %s', async (asked, cfop, rate) => {
    const found = await tax(asked);
    expect([found.cfop, found.icms.pICMS]).toEqual([cfop, rate]);
  });

  it('uses 4 % between states for imported goods', async () => {
    const { icms } = await tax({ to: 'RJ', item: { origin: 'ForeignInternalMarket' } });
    expect(icms).toEqual({ orig: '2', cst: '00', modBC: '3', pICMS: '4.00', vBC: '1000.00', vICMS: '40.00' });
  });

  it('charges nothing on exports', async () => {
    const { cfop, icms, pis, cofins, ibs } = await tax({ to: 'EX' });
    expect([cfop, icms, pis, cofins, ibs]).toEqual([
      7102,
      { orig: '0', cst: '41' },
      { cst: '08' },
      { cst: '08' },
      undefined,
    ]);
  });

  it('has no debit for the Simples Nacional', async () => {
    const { icms, pis, cofins } = await tax({ regime: 'NationalSimple' });
    expect([icms, pis, cofins]).toEqual([{ orig: '0', csosn: '102' }, { cst: '49' }, { cst: '49' }]);
  });

  it('uses the cumulative rates for presumed profit', async () => {
    const { pis, cofins } = await tax({ regime: 'PresumedProfit' });
    expect([pis.pPIS, pis.vPIS, cofins.pCOFINS, cofins.vCOFINS]).toEqual(['0.65', '5.33', '3.00', '24.60']);
  });

  it('suspends and exempts by the operation', async () => {
    const [demonstration, sample] = [
      await tax({ item: { operationCode: 153 } }),
      await tax({ item: { operationCode: 152 } }),
    ];
    expect([demonstration.cfop, demonstration.icms.cst, sample.cfop, sample.icms.cst]).toEqual([
      5912,
      '50',
      5911,
      '40',
    ]);
  });

  it('calculates the share of the destination state if the recipient is no ICMS taxpayer', async () => {
    const { icms, icmsUfDest } = await tax({ to: 'BA', item: { recipientTaxProfile: 'natural_person' } });
    expect([icms.vICMS, icmsUfDest]).toEqual([
      '70.00',
      {
        pFCPUFDest: '0.00',
        pICMSUFDest: '20.50',
        pICMSInter: '7.00',
        pICMSInterPart: '100.00',
        vBCUFDest: '1000.00',
        vBCFCPUFDest: '1000.00',
        vFCPUFDest: '0.00',
        vICMSUFDest: '135.00',
        vICMSUFRemet: '0.00',
      },
    ]);
  });

  it('adds the IPI of industries to the ICMS base if the goods are for final use', async () => {
    const industry = { issuerTaxProfile: 'industry' };
    const resold = await tax({ item: { ...industry, acquisitionPurpose: '102' } });
    const used = await tax({ item: { ...industry, acquisitionPurpose: '556' } });
    const ipi = { cEnq: '999', cst: '50', pIPI: '5.00', vBC: '1000.00', vIPI: '50.00' };
    expect([resold.ipi, resold.icms.vBC, used.ipi, used.icms.vBC]).toEqual([ipi, '1000.00', ipi, '1050.00']);
  });

  it('adds freight, insurance and other expenses, and subtracts the discount', async () => {
    const amounts = { freightAmount: 10.1, insuranceAmount: 5.05, othersAmount: 1, discountAmount: 16.16 };
    expect((await tax({ item: amounts })).icms.vBC).toBe('999.99');
  });

  it('has no binary rounding errors', async () => {
    const amounts = { quantity: 3, unitAmount: 0.1 };
    expect((await tax({ item: amounts })).icms.vBC).toBe('0.30');
    const large = await tax({ item: { quantity: 999999999.9999, unitAmount: 99999.0000000001 } });
    expect(large.icms.vBC).toBe('99998999999990.10');
  });

  it('rounds half up', async () => {
    expect((await tax({ item: { quantity: 0.5, unitAmount: 0.01 } })).icms.vBC).toBe('0.01');
    expect((await tax({ item: { quantity: 0.4999, unitAmount: 0.01 } })).icms.vBC).toBe('0.00');
  });
});

describe('custom rules of the product registry (§1)', () => {
  const own = {
    sku: 'CAFE',
    origin: 'National',
    customTax: [
      {
        operationCode: 121,
        issuer: [{ taxRegime: 'RealProfit', taxProfile: 'none' }],
        recipient: [{ taxProfile: 'none' }, { taxProfile: 'retail' }],
        intraState: {
          cfop: '5405',
          icms: {
            cst: '10',
            modBC: '3',
            pRedBC: '50.00',
            pICMS: '18.00',
            modBCST: '4',
            pMVAST: '40.00',
            pICMSST: '18.00',
          },
          pis: { cst: '04' },
        },
      },
    ],
  };

  async function register(product: object): Promise<string> {
    const { json } = await service.send('POST', `/${service.ready().tenantId}/products`, { body: product });
    return json.id;
  }
  const validate = () => service.control('POST', 'clock', { advance: '5m' });

  it('take precedence, and the engine fills the rest', async () => {
    const productId = await register(own);
    await validate();
    const found = await tax({ item: { sku: 'CAFE' } });
    expect(found).toEqual({
      id: '1',
      cfop: 5405,
      icms: {
        cst: '10',
        modBC: '3',
        pRedBC: '50.00',
        pICMS: '18.00',
        modBCST: '4',
        pMVAST: '40.00',
        pICMSST: '18.00',
        vBC: '500.00',
        vICMS: '90.00',
        vBCST: '1400.00',
        vICMSST: '162.00',
      },
      pis: { cst: '04' },
      cofins: { cst: '01', pCOFINS: '7.60', vBC: '910.00', vCOFINS: '69.16' },
      ibs: { cst: '000', cClassTrib: '000001', pIBS: '0.10', vBC: '840.84', vIBS: '0.84' },
      cbs: { cst: '000', cClassTrib: '000001', pCBS: '0.90', vBC: '840.84', vCBS: '7.57' },
      lastModified: '2026-01-01T00:00:00.000Z',
      productId,
    });
  });

  it('apply only to their operation, regime, profile and direction', async () => {
    await register(own);
    await validate();
    const others = [
      { item: { sku: 'CAFE', operationCode: 122 } },
      { item: { sku: 'CAFE', recipientTaxProfile: 'industry' } },
      { regime: 'PresumedProfit', item: { sku: 'CAFE' } },
      { to: 'RJ', item: { sku: 'CAFE' } },
      { item: { sku: 'CHA' } },
    ];
    for (const other of others) expect((await tax(other)).productId).toBeUndefined();
    expect((await tax({ item: { sku: 'CAFE', recipientTaxProfile: 'retail' } })).cfop).toBe(5405);
  });

  it('apply while the product is Active', async () => {
    await register(own);
    expect((await tax({ item: { sku: 'CAFE' } })).productId).toBeUndefined();
    await validate();
    expect((await tax({ item: { sku: 'CAFE' } })).cfop).toBe(5405);
  });

  it('of a collection apply when the collection is named', async () => {
    await register({ ...own, collectionId: 'loja-1' });
    await validate();
    const body = (collectionId: string) => ({
      collectionId,
      issuer: { state: 'SP', taxRegime: 'RealProfit' },
      recipient: { state: 'SP' },
      operationType: 'Outgoing',
      items: [{ ...sale, sku: 'CAFE' }],
    });
    const cfops = await Promise.all(
      ['loja-1', 'loja-2'].map(async (collection) => {
        const path = calculatePath(service.ready().tenantId);
        return (await service.send('POST', path, { body: body(collection) })).json.items[0].cfop;
      }),
    );
    expect(cfops).toEqual([5405, 5102]);
  });
});
