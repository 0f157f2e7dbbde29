import { beforeEach, describe, expect, it } from 'vitest';
import { newStateTax, stateTaxesPath } from '../facts/company.js';
import { badRequest, conflict, notFound } from '../facts/errors.js';
import { acceptedStatus, merchandise, queuedStatus } from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService();
const company = (tail = '') => `/v2/companies/${service.ready().companyId}${tail}`;
const registrations = (tail = '') => stateTaxesPath(service.ready().companyId) + tail;
const advance = () => service.control('POST', 'clock', { advance: '2m' });

const register = async (more: object = {}): Promise<string> =>
  (await service.send('POST', registrations(), { body: { stateTax: { ...newStateTax, ...more } } })).json.stateTax.id;
const registration = async (id: string) => (await service.send('GET', registrations(`/${id}`))).json.stateTax;
const issueAt = (path: string, more: object = {}) => service.send('POST', path, { body: { ...merchandise, ...more } });

async function issued(path: string, more: object = {}) {
  const { status, json } = await issueAt(path, more);
  expect([acceptedStatus, queuedStatus]).toContain(status);
  await advance();
  const list = path.endsWith('consumerinvoices') ? 'consumerinvoices' : 'productinvoices';
  return (await service.send('GET', company(`/${list}/${json.id}`))).json;
}

beforeEach(() => service.control('POST', 'reset'));

describe('an invoice below a state registration (public)', () => {
  it.each([
    ['productinvoices', 'NFe', acceptedStatus],
    ['consumerinvoices', 'NFCe', queuedStatus],
  ])('%s: has its environment, serie and next number, which moves on', async (name, type, status) => {
    const id = await register({ type, serie: 7, number: 41 });
    const path = registrations(`/${id}/${name}`);
    const first = await issueAt(path);
    expect([first.status, first.headers.get('location')]).toEqual([
      status,
      expect.stringContaining(company(`/${name}/${first.json.id}`)),
    ]);
    await advance();
    const second = await issued(path);
    const invoice = (await service.send('GET', company(`/${name}/${first.json.id}`))).json;
    const space = { environmentType: 'Test', serie: 7, status: 'Issued' };
    expect([invoice, second]).toMatchObject([
      { ...space, number: 41 },
      { ...space, number: 42 },
    ]);
    expect(await registration(id)).toMatchObject({ serie: 7, number: 43 });
  });

  it('has the number of the registration in its XML', async () => {
    const id = await register();
    const { id: invoiceId } = await issued(registrations(`/${id}/productinvoices`));
    const { json } = await service.send('GET', company(`/productinvoices/${invoiceId}/xml`));
    expect(await (await fetch(json.uri)).text()).toContain(`<IE>${newStateTax.taxNumber}</IE>`);
  });

  it('keeps the serie and number of its body, and the next number stays behind them', async () => {
    const id = await register();
    const path = registrations(`/${id}/productinvoices`);
    expect(await issued(path, { number: 20 })).toMatchObject({ serie: 1, number: 20 });
    expect(await registration(id)).toMatchObject({ number: 21 });
    expect(await issued(path, { serie: 3, number: 90 })).toMatchObject({ serie: 3, number: 90 });
    expect(await issued(path, { number: 5 })).toMatchObject({ number: 5 });
    expect(await registration(id)).toMatchObject({ serie: 1, number: 21 });
  });

  it('is refused by the authority when its next number was put back', async () => {
    const id = await register();
    const path = registrations(`/${id}/productinvoices`);
    await issued(path);
    await service.send('PUT', registrations(`/${id}`), { body: { stateTax: newStateTax } });
    expect(await issued(path)).toMatchObject({ status: 'Error', errorCode: '539' });
    expect(await registration(id)).toMatchObject({ number: newStateTax.number });
  });

  it('is issued in contingency while EPEC authorises', async () => {
    const id = await register();
    const path = registrations(`/${id}/productinvoices`);
    const to = (body: object) => service.send('POST', registrations(`/${id}/switch-authorizer`), { body });
    await to({ authorizer: 'EPEC', reason: 'SEFAZ fora do ar desde as nove horas' });
    const invoice = await issued(path);
    expect(invoice).toMatchObject({ status: 'IssuedContingency', number: newStateTax.number });
    expect(invoice.authorization.accessKey.charAt(34)).toBe('4');
    await to({ authorizer: 'Normal' });
    expect(await issued(path)).toMatchObject({ status: 'Issued' });
  });

  it('is refused below an unknown registration, and below one of the other model', async () => {
    const id = await register();
    const unknown = await issueAt(registrations('/none/productinvoices'));
    const other = await issueAt(registrations(`/${id}/consumerinvoices`));
    expect([unknown.status, other.status]).toEqual([notFound, badRequest]);
  });
});

describe('the number of a failed invoice (public)', () => {
  const failed = async (more: object = {}) => {
    const id = await register();
    await service.control('POST', 'outcomes', { family: 'nfe', outcome: 'failed', count: 1 });
    return { id, invoice: await issued(registrations(`/${id}/productinvoices`), more) };
  };
  const disable = (id: string) =>
    service.send('POST', company(`/productinvoices/${id}/disablement?reason=Nota%20recusada%2C%20desfeita`));

  it('is that of the registration, which moves on', async () => {
    const { id, invoice } = await failed();
    expect(invoice).toMatchObject({ status: 'Error', serie: 1, number: newStateTax.number });
    expect(await registration(id)).toMatchObject({ number: newStateTax.number + 1 });
  });

  it('is disabled once, and never issued', async () => {
    const { id, invoice } = await failed();
    const [first, again] = [await disable(invoice.id), await disable(invoice.id)];
    expect([first.status, again.status]).toEqual([204, conflict]);
    const read = (await service.send('GET', company(`/productinvoices/${invoice.id}`))).json;
    expect(read).toMatchObject({ status: 'Disabled', number: newStateTax.number });
    const path = registrations(`/${id}/productinvoices`);
    expect(await issued(path, { number: newStateTax.number })).toMatchObject({ errorCode: '206' });
  });

  it('stays, where the invoice is issued or has none', async () => {
    const fine = await issued(company('/productinvoices'));
    await service.control('POST', 'outcomes', { family: 'nfe', outcome: 'failed', count: 1 });
    const without = await issued(company('/productinvoices'));
    expect([without.status, 'number' in without]).toEqual(['Error', false]);
    expect([(await disable(fine.id)).status, (await disable(without.id)).status]).toEqual([conflict, conflict]);
  });
});

it('without a named registration, the first one of the model issues', async () => {
  await register({ type: 'NFCe', serie: 9 });
  await register({ type: 'Default', serie: 8 });
  await register({ type: 'NFe', serie: 4, number: 100 });
  expect(await issued(company('/productinvoices'))).toMatchObject({
    ...{ environmentType: 'Test', serie: 4, number: 100 },
  });
});
