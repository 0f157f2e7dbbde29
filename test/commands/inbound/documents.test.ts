import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captured, odataList } from './captured.js';
import { imitate } from './service.js';
import { json, serve } from '../../client/support/server.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost } from '../../support/host.js';

const nfeKey = '35250530057049000141550010000280181030656857';
const cteKey = '35150268252816000146570010000016161002008472';
const nfseKey = '33045572211905971000105000000000014625124504258429';
const inbound = '/v2/companies/c1/inbound';
const xml = nfeOf(nfeKey);

/** The least that a reader knows an NF-e by. */
function nfeOf(key: string, text = 'ação'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe Id="NFe${key}"><a>${text}</a></infNFe></NFe>\n`;
}

function cteOf(key: string): string {
  return `<CTe xmlns="http://www.portalfiscal.inf.br/cte"><infCte Id="CTe${key}"/></CTe>`;
}

function nfseOf(key: string): string {
  return `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe Id="NFS${key}"/></NFSe>`;
}

function eventOf(key: string, code: string, sequence: string): string {
  return `<evento xmlns="http://www.portalfiscal.inf.br/nfe"><infEvento Id="ID${code}${key}0${sequence}"><chNFe>${key}</chNFe><tpEvento>${code}</tpEvento><nSeqEvento>${sequence}</nSeqEvento></infEvento></evento>`;
}

describe('inbound list', () => {
  test('streams the first hundred unchanged and reports that there are more', async () => {
    const server = await serve(odataList([...captured(150)]));
    const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_INVOICE_KEY: 'k', FISCAL_COMPANY: 'c1' };
    const result = await runFiscal(
      ['inbound', 'list', '--type', 'nfe', '-o', 'ndjson'],
      testHost({ env, companies: ['c1'] }),
    );
    const rows = result.stdout.trimEnd().split('\n');
    const last = { type: 'inbound', ...captured(150)[99], state: 'standing' };
    expect([result.exitCode, rows.length, JSON.parse(rows[99] ?? '')]).toEqual([0, 100, last]);
    expect(result.stderr).toBe('only the first 100 are shown; all of them: --all\n');
    const all = await runFiscal(
      ['inbound', 'list', '--type', 'nfe', '--all', '-o', 'id'],
      testHost({ env, companies: ['c1'] }),
    );
    expect([all.stdout.trimEnd().split('\n').length, all.stderr]).toEqual([150, '']);
  });

  test('the environment is refused where the list would ignore it, before anything is sent', async () => {
    const service = await imitate({});
    for (const words of [
      ['--type', 'nfe'],
      ['--type', 'nfse', '--by', 'modified', '--since', '1d'],
      ['--type', 'nfse', '--order-by', 'nsu'],
      ['--local'],
    ]) {
      const list = ['inbound', 'list', ...words, '--environment', 'Production'];
      expect([words, (await runFiscal(list, service.host)).exitCode]).toEqual([words, 2]);
    }
    expect(service.asked()).toEqual([]);
  });

  test('invalid rows are omitted and reported, and it exits 3', async () => {
    const service = await imitate({ [`GET ${inbound}/nfe`]: json(200, { value: [{ status: 'x' }] }) });
    const result = await runFiscal(['inbound', 'list', '--type', 'nfe', '-o', 'json'], service.host);
    expect([result.exitCode, result.stdout]).toEqual([3, '[]\n']);
    expect(result.stderr).toContain('1 row of the list is not a document');
  });

  test.each([
    [['--since', 'soon'], '--since'],
    [['--nsu-after', '-1'], '--nsu-after'],
    [['--filter', "a eq 'x"], '--filter'],
    [['--filter', 'a eq 1) or (b eq 2'], '--filter'],
    [['--local', '--order-by', 'nsu'], 'cannot be answered offline'],
  ])('%j is refused before any request', async (flags, sentence) => {
    const service = await imitate({});
    const result = await runFiscal(['inbound', 'list', '--type', 'nfe', ...flags], service.host);
    expect([result.exitCode, service.seen.length]).toEqual([2, 0]);
    expect(result.stderr).toContain(sentence);
  });

  test.each([[['list', '--local']], [['list', '--local', '--all-companies']], [['outstanding']]])(
    '%j of a machine that never synced proves nothing: exit 3, without a request',
    async (words) => {
      const service = await imitate({});
      const result = await runFiscal(['inbound', ...words, '-o', 'json'], service.host);
      expect([result.exitCode, result.stdout, service.seen]).toEqual([3, '[]\n', []]);
      expect(result.stderr).toContain('this machine knows no document');
      expect(result.stderr).toContain('fiscal inbound sync');
      expect(result.stderr).not.toContain('last sync');
    },
  );
});

describe('inbound get and events', () => {
  test('the key determines the family and its path', async () => {
    const service = await imitate({
      [`GET ${inbound}/nfe/${nfeKey}`]: json(200, { accessKey: nfeKey, nsu: null, status: 'Novo' }),
      [`GET ${inbound}/${cteKey}`]: json(200, { accessKey: cteKey, a: 1 }),
      [`GET ${inbound}/nfse/${nfseKey}`]: json(200, { id: 'n2', a: 2 }),
      [`GET ${inbound}/nfse/6f1c-0a2e`]: json(200, { id: '6f1c-0a2e', a: 3 }),
    });
    const get = async (...words: string[]) => {
      const result = await runFiscal(['inbound', 'get', ...words, '-o', 'json'], service.host);
      return JSON.parse(result.stdout) as unknown;
    };
    expect(await get(nfeKey)).toEqual({ accessKey: nfeKey, nsu: null, status: 'Novo' });
    expect([await get(cteKey), await get(nfseKey)]).toEqual([
      { accessKey: cteKey, a: 1 },
      { id: 'n2', a: 2 },
    ]);
    expect(await get('6f1c-0a2e', '--type', 'nfse')).toEqual({ id: '6f1c-0a2e', a: 3 });
  });

  test('one event is read by its key, and an answer about another document is refused', async () => {
    const event = { id: 'E/1', accessKey: nfeKey, type: 'productInvoiceEvent', nsu: 18 };
    const service = await imitate({
      [`GET ${inbound}/${nfeKey}/events/E%2F1`]: json(200, event),
      [`GET ${inbound}/${cteKey}/events/E1`]: json(200, { ...event, accessKey: nfeKey }),
    });
    const get = async (key: string, event: string) =>
      await runFiscal(['inbound', 'get', key, '--event', event, '-o', 'json'], service.host);
    expect(JSON.parse((await get(nfeKey, 'E/1')).stdout)).toEqual(event);
    expect([(await get(cteKey, 'E1')).exitCode, (await get(nfeKey, 'E2')).exitCode]).toEqual([10, 9]);
    expect((await get(nfseKey, 'E1')).exitCode).toBe(9);
  });

  test('the JSON of an NF-e and of an NFS-e is shown as it came; a CT-e has none', async () => {
    const service = await imitate({
      [`GET ${inbound}/productinvoices/${nfeKey}/json`]: json(200, { infNFe: { nNF: '1' } }),
      [`GET ${inbound}/nfse/6f1c-0a2e/json`]: json(200, { infNFSe: {} }),
    });
    const read = async (...words: string[]) =>
      await runFiscal(['inbound', 'get', ...words, '--content', '-o', 'json'], service.host);
    expect(JSON.parse((await read(nfeKey)).stdout)).toEqual({ infNFe: { nNF: '1' } });
    expect(JSON.parse((await read('6f1c-0a2e', '--type', 'nfse')).stdout)).toEqual({ infNFSe: {} });
    expect((await read(cteKey)).exitCode).toBe(2);
    expect(service.seen.length).toBe(2);
  });

  test('a key without a family, or of another one, is refused before any request', async () => {
    const service = await imitate({});
    for (const words of [['6f1c'], [nfeKey, '--type', 'cte'], ['../../x', '--type', 'nfe']]) {
      expect((await runFiscal(['inbound', 'get', ...words], service.host)).exitCode).toBe(2);
    }
    expect(service.seen).toEqual([]);
  });

  test.each([
    [1, 0],
    [50, 5],
  ])('%s events that repeat for $skip, without a count, exit %s', async (count, exitCode) => {
    const rows = Array.from({ length: count }, (_, index) => ({ eventKey: `e${index}`, accessKey: nfeKey }));
    const service = await imitate({
      [`GET ${inbound}/odata/ProductInvoiceEvents`]: json(200, { context: '', value: rows }),
    });
    const result = await runFiscal(['inbound', 'events', nfeKey, '-o', 'id'], service.host);
    expect(result.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(result.stdout).toBe('e0\n');
  });

  test('events are requested by key, and the links of the list are followed', async () => {
    const path = `${inbound}/odata/ProductInvoiceEvents`;
    const service = await imitate({
      [`GET ${path}`]: (request) =>
        request.url?.includes('skip') === true
          ? json(200, { '@odata.count': 2, value: [{ eventKey: 'e2', type: '999999' }] })
          : json(200, { '@odata.count': 2, value: [{ eventKey: 'e1' }], '@odata.nextLink': `${path}?$skip=2` }),
    });
    const result = await runFiscal(['inbound', 'events', nfeKey, '-o', 'json'], service.host);
    expect(JSON.parse(result.stdout)).toEqual([{ eventKey: 'e1' }, { eventKey: 'e2', type: '999999' }]);
    const query = new URL(service.seen[0]?.path ?? '', service.url).searchParams;
    expect(query.get('$filter')).toBe(`accessKey eq '${nfeKey}'`);
    expect((await runFiscal(['inbound', 'events', nfseKey], service.host)).exitCode).toBe(9);
  });

  test('the key of an event may be called id', async () => {
    const row = { id: `ID210210${nfeKey}01`, accessKey: nfeKey, type: 'productInvoiceEvent' };
    const service = await imitate({ [`GET ${inbound}/odata/ProductInvoiceEvents`]: json(200, { value: [row] }) });
    const result = await runFiscal(['inbound', 'events', nfeKey, '-o', 'json'], service.host);
    expect([result.exitCode, JSON.parse(result.stdout)]).toEqual([0, [{ ...row, eventKey: row.id }]]);
  });
});

test('an event of another key ends the list with an error', async () => {
  const path = `${inbound}/odata/ProductInvoiceEvents`;
  const row = { eventKey: 'e1', accessKey: `${nfeKey.slice(0, -1)}0` };
  const service = await imitate({ [`GET ${path}`]: json(200, { value: [row] }) });
  const result = await runFiscal(['inbound', 'events', nfeKey, '-o', 'id'], service.host);
  expect([result.exitCode, result.stdout]).toEqual([10, '']);
});

test('a row that is not an event is reported, and ends the list', async () => {
  const path = `${inbound}/odata/ProductInvoiceEvents`;
  const service = await imitate({ [`GET ${path}`]: json(200, { value: [{ eventKey: 'e1' }, {}] }) });
  const result = await runFiscal(['inbound', 'events', nfeKey, '-o', 'id'], service.host);
  expect(result.exitCode).toBe(6);
  expect(result.stderr).toContain('row 2 is not an event with a key');
});

describe('the bytes of a document', () => {
  test('are written to stdout unchanged', async () => {
    const service = await imitate({ [`GET ${inbound}/nfe/${nfeKey}/xml`]: { status: 200, body: xml } });
    const result = await runFiscal(['inbound', 'xml', nfeKey], service.host);
    expect([result.exitCode, result.stdout, result.stderr]).toEqual([0, xml, '']);
  });

  test('are written to a file, completely, and no other file is left', async () => {
    const path = `${inbound}/${nfeKey}/events/e1/xml`;
    const event = eventOf(nfeKey, '110111', '1');
    const service = await imitate({ [`GET ${path}`]: { status: 200, body: event } });
    const argv = ['inbound', 'xml', nfeKey, '--event', 'e1', '--out', 'e.xml', '-o', 'json'];
    const result = await runFiscal(argv, service.host);
    expect(JSON.parse(result.stdout)).toMatchObject({ bytes: Buffer.byteLength(event) });
    expect(readFileSync(join(service.host.cwd, 'e.xml'), 'utf8')).toBe(event);
    expect(readdirSync(service.host.cwd)).toEqual(['e.xml']);
  });

  test('leave no file after a refusal, and a missing folder is named', async () => {
    const service = await imitate({ [`GET ${inbound}/${cteKey}/xml`]: { status: 200, body: cteOf(cteKey) } });
    expect((await runFiscal(['inbound', 'xml', nfeKey, '--out', 'n.xml'], service.host)).exitCode).toBe(9);
    const missing = await runFiscal(['inbound', 'xml', cteKey, '--out', 'no/c.xml'], service.host);
    expect([missing.exitCode, missing.stderr.includes('c.xml')]).toEqual([2, true]);
    expect(readdirSync(service.host.cwd)).toEqual([]);
  });

  test('are XML without control characters on a terminal, and no PDF', async () => {
    const service = await imitate(
      {
        [`GET ${inbound}/nfe/${nfeKey}/xml`]: { status: 200, body: nfeOf(nfeKey, '\u009b2J') },
        [`GET ${inbound}/nfe/${nfeKey}/pdf`]: { status: 200, body: '%PDF-1.4' },
      },
      { isTerminal: true },
    );
    expect((await runFiscal(['inbound', 'xml', nfeKey], service.host)).stdout).toContain('<a>\\u009b2J</a>');
    const pdf = await runFiscal(['inbound', 'pdf', nfeKey], service.host);
    expect([pdf.exitCode, pdf.stdout, pdf.stderr.includes('--out')]).toEqual([2, '', true]);
  });

  test('of another key are neither shown nor written', async () => {
    const other = `${nfeKey.slice(0, -1)}0`;
    const eventKey = `ID110111${nfeKey}01`;
    const service = await imitate({
      [`GET ${inbound}/nfe/${nfeKey}/xml`]: { status: 200, body: nfeOf(other) },
      [`GET ${inbound}/nfse/${nfseKey}/xml`]: { status: 200, body: nfeOf(nfeKey) },
      [`GET ${inbound}/${nfeKey}/events/${eventKey}/xml`]: { status: 200, body: eventOf(nfeKey, '110110', '1') },
      [`GET ${inbound}/nfse/6f1c/xml`]: { status: 200, body: nfseOf(nfseKey) },
    });
    const read = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await runFiscal(['inbound', ...words], service.host);
      return [exitCode, stdout, /"code":"([^"]+)"/.exec(stderr)?.[1]];
    };
    const others = [10, '', 'service.other_subject'];
    expect(await read('xml', nfeKey)).toEqual(others);
    expect(await read('xml', nfeKey, '--out', 'n.xml')).toEqual(others);
    expect(await read('xml', nfseKey)).toEqual(others);
    expect(await read('xml', nfeKey, '--event', eventKey)).toEqual(others);
    expect(readdirSync(service.host.cwd)).toEqual([]);
    const byId = await runFiscal(['inbound', 'xml', '6f1c', '--type', 'nfse'], service.host);
    expect([byId.exitCode, byId.stdout]).toEqual([0, nfseOf(nfseKey)]);
    expect(byId.stderr).toContain('only the service confirms');
  });

  test('without a key are not a document', async () => {
    const body = '<nfeProc><html/></nfeProc>';
    const service = await imitate({ [`GET ${inbound}/nfe/${nfeKey}/xml`]: { status: 200, body } });
    const result = await runFiscal(['inbound', 'xml', nfeKey], service.host);
    expect([result.exitCode, result.stdout]).toEqual([6, '']);
  });

  test('of a PDF that is being rendered are waited for, up to exit 8', async () => {
    let asked = 0;
    const clock = new FakeClock();
    const making = { status: 202, headers: { 'retry-after': '4' } };
    const service = await imitate(
      {
        [`GET ${inbound}/nfse/${nfseKey}/pdf`]: () => ((asked += 1) < 3 ? making : { status: 200, body: '%PDF-1' }),
        [`GET ${inbound}/nfe/${nfeKey}/pdf`]: making,
        [`GET ${inbound}/${cteKey}/pdf`]: { status: 204 },
      },
      { clock },
    );
    const made = await runFiscal(['inbound', 'pdf', nfseKey], service.host);
    expect([made.exitCode, made.stdout, clock.slept]).toEqual([0, '%PDF-1', [4000, 4000]]);
    const late = await runFiscal(['inbound', 'pdf', nfeKey, '--timeout', '10s'], service.host);
    expect([late.exitCode, late.stdout]).toEqual([8, '']);
    const none = await runFiscal(['inbound', 'pdf', cteKey], service.host);
    expect([none.exitCode, none.stderr.includes('the service has no PDF')]).toEqual([9, true]);
  });
});

describe('reprocessing and resending', () => {
  test('use the operation of the family', async () => {
    const accepted = json(202, { documentId: 'd1', companyId: 'c1' });
    const service = await imitate({
      [`POST ${inbound}/nfse/${nfseKey}/reprocess`]: accepted,
      [`POST ${inbound}/nfse/${nfseKey}/resend-webhook`]: accepted,
      [`POST ${inbound}/productinvoices/77/processwebhook`]: accepted,
    });
    for (const words of [
      ['reprocess', nfseKey],
      ['reprocess', nfseKey, '--webhook'],
      ['reprocess', '77', '--type', 'nfe', '--webhook'],
    ]) {
      const result = await runFiscal(['inbound', ...words, '-o', 'json'], service.host);
      expect([result.exitCode, JSON.parse(result.stdout)]).toMatchObject([0, { documentId: 'd1' }]);
    }
  });

  test('an operation that a family lacks is refused with the alternatives', async () => {
    const service = await imitate({});
    const reprocess = await runFiscal(['inbound', 'reprocess', nfeKey], service.host);
    const webhook = await runFiscal(['inbound', 'reprocess', cteKey, '--webhook'], service.host);
    expect([reprocess.exitCode, webhook.exitCode, service.seen.length]).toEqual([2, 2, 0]);
    expect(reprocess.stderr).toContain('fiscal inbound reprocess <key> --webhook');
  });
});

test('a verb of two words is found, has help and is suggested', async () => {
  const help = await runFiscal(['help', 'inbound', 'capture', 'show']);
  expect(help.stdout).toContain('fiscal inbound capture show [options]');
  const half = await runFiscal(['inbound', 'capture']);
  expect([half.exitCode, half.stderr.includes('(show, enable, update, disable, run, reactivate, reset-nsu)')]).toEqual([
    2,
    true,
  ]);
  const wrong = await runFiscal(['inbound', 'capture', 'shw']);
  expect([wrong.exitCode, wrong.stderr.includes('fiscal inbound capture show')]).toEqual([2, true]);
});
