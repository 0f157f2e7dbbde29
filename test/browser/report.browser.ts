/** The pages of `fiscal report` in Debian's Chromium: `apt-get install -y chromium`, then `npm run test:browser`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { companyPage } from '../../src/report/company-page.js';
import type { Manifestation, ReportDocument, ReportFacts } from '../../src/report/facts.js';
import { indexPage } from '../../src/report/index-page.js';
import { sumOf } from '../../src/report/sums.js';
import { closed, document, facts, hostileDocuments, hostileNames, issuedFacts, unclosed } from '../report/facts.js';

const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** Pictures of the last run, to look at. */
const pictures = process.env['FISCAL_BROWSER_PICTURES'];
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fiscal-browser-'));
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  const executablePath = process.env['FISCAL_CHROMIUM'] ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: [...options, ...quiet] });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** What the page asked for, besides itself. */
  readonly requests: readonly string[];
  /** Errors of its scripts, and refusals of its policy. */
  readonly errors: readonly string[];
}

async function open(text: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Opened> {
  const path = join(folder, 'page.html');
  writeFileSync(path, text);
  const page = await browser.newPage(options);
  const [requests, errors]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  await page.goto(pathToFileURL(path).href);
  return { page, requests: requests.slice(1), errors };
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const run = 'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"] })';
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(run);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

const states: readonly Manifestation[] = ['none', 'aware', 'confirmed', 'not-due', 'unknown'];

function many(count: number): readonly ReportDocument[] {
  return Array.from({ length: count }, (_, index) =>
    document(index, {
      family: (['nfe', 'cte', 'nfse'] as const)[index % 3] ?? 'nfe',
      party: String(10_000_000_000_000 + (index % 400)),
      partyName: `Comercial N${String(index % 400).padStart(3, '0')} São João Ltda`,
      day: `2026-10-${String((index % 31) + 1).padStart(2, '0')}`,
      amount: index % 50 === 0 ? undefined : `${(index * 7919) % 90_000}.${String(index % 100).padStart(2, '0')}`,
      state: index % 40 === 0 ? 'cancelled' : 'standing',
      competence: undefined,
      file: index % 33 === 0 ? 'summary' : 'full',
      manifestation: states[index % states.length] ?? 'none',
      terms: index % 4 === 0 ? [{ lastDay: '2027-01-29', state: 'open' }] : [],
    }),
  );
}

/** A month with something in every section. */
function fullMonth(count: number): ReportFacts {
  const gap = {
    ...{ count: 3, what: { en: 'The file is missing', pt: 'O arquivo não está na pasta' } },
    ...{ todo: { en: 'Fetch the files again.', pt: 'Busque os arquivos de novo.' }, command: 'fiscal inbound sync' },
  };
  const reason = { en: 'the month is not over', pt: 'o mês não terminou' };
  return facts({
    documents: many(count),
    withoutTerms: 2,
    close: {
      ...closed,
      ...{ verdict: 'incomplete', gaps: [gap], reasons: [reason], since: { added: 1, changed: 2, unknown: 3 } },
      assumptions: [{ source: 'NT 2014.002', message: reason }],
    },
    certificate: { state: 'valid', validUntil: '2027-05-01T00:00:00Z', isEnding: false, subject: 'CN=Acme', seenAt: 0 },
    usage: [{ operation: { en: 'Fetch by key', pt: 'Busca pela chave' }, billed: 2, unknown: 1, freeRepeats: 0 }],
  });
}

describe.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
] as const)('at %i pixels, %s', (width, colorScheme) => {
  const look = { viewport: { width, height: 900 }, colorScheme };

  test.each([
    ['incomplete', companyPage(fullMonth(300), 'pt')],
    ['complete', companyPage({ ...fullMonth(300), close: closed }, 'en')],
    ['issued', companyPage(issuedFacts({ documents: many(300) }), 'pt')],
    ['not-closed', companyPage(facts({ close: unclosed, documents: [] }), 'pt')],
    [
      'index',
      indexPage(
        {
          ...{ month: '2026-10', madeAt: 0, version: '1.2.3' },
          rows: (['complete', 'incomplete', 'not-closed', 'not-provable'] as const).map((verdict) => ({
            direction: 'received' as const,
            company: { id: verdict, name: `Indústria ${verdict} Ltda`, taxNumber: '11222333000181' },
            ...{ file: '11222333000181-2026-10.html', verdict, closedAt: undefined, gaps: 1 },
            documents: { count: 1, standing: sumOf([document(1)]) },
            terms: undefined,
          })),
        },
        'pt',
      ),
    ],
  ])('%s: axe finds nothing, nothing is loaded, nothing stands beside the screen', async (name, text) => {
    const { page, requests, errors } = await open(text, look);
    if (pictures !== undefined)
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    expect(await violations(page)).toEqual([]);
    expect([requests, errors]).toEqual([[], []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.close();
  });
});

test('20,000 documents fit into 6 MB, sort, search and turn pages', async () => {
  const text = companyPage(fullMonth(20_000), 'pt');
  expect(Buffer.byteLength(text)).toBeLessThan(6 * 1024 * 1024);
  const { page, errors } = await open(text);
  await page.waitForSelector('html[data-ready]');
  const rows = page.locator('#documents-body tr');
  const status = page.locator('#documents-status');
  expect([await rows.count(), await status.textContent()]).toEqual([50, '1–50 de 20.000 encontrados, 20.000 no total']);
  const amounts = async () => await page.locator('#documents-body tr td:nth-child(4)').allTextContents();
  await page.getByRole('button', { name: 'Valor, R$' }).click();
  const numbers = (await amounts()).map((amount) => Number(amount.replaceAll('.', '').replace(',', '.')));
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
  expect(await page.locator('th[data-column=amount]').getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('searchbox').fill('n017 sao joao');
  expect(await status.textContent()).toBe('1–50 de 50 encontrados, 20.000 no total');
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Mostrar').selectOption('noAmount');
  expect(await status.textContent()).toBe('1–50 de 400 encontrados, 20.000 no total');
  expect(new Set(await amounts())).toEqual(new Set(['não se sabe']));
  await page.getByRole('button', { name: 'Próximos' }).click();
  expect(await status.textContent()).toBe('51–100 de 400 encontrados, 20.000 no total');
  expect(errors).toEqual([]);
  await page.close();
});

test('hostile names are text everywhere, and run nothing', async () => {
  for (const name of hostileNames) {
    const text = companyPage(
      facts({
        ...{ documents: hostileDocuments(), company: { id: name, name, taxNumber: name } },
        certificate: { state: 'valid', validUntil: null, isEnding: false, subject: name, seenAt: 0 },
      }),
      'en',
    );
    const { page, requests, errors } = await open(text);
    await page.waitForSelector('html[data-ready]');
    await page.getByRole('searchbox').fill('padaria');
    await page.getByRole('button', { name: 'Supplier and key' }).click();
    const ran =
      'document.title === "run" || document.querySelectorAll("img, iframe, object, embed, main script:not([type])").length';
    expect([name, await page.evaluate(ran), requests, errors]).toEqual([name, 0, [], []]);
    expect(await page.locator('main').isVisible()).toBe(true);
    await page.close();
  }
});

test('the policy of the page stops what would be added to it', async () => {
  const { page, errors } = await open(companyPage(facts(), 'en'));
  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    const image = document.createElement('img');
    image.src = 'http://127.0.0.1:9/';
    document.body.append(script, image);
  }`);
  await expect.poll(() => errors.length).toBeGreaterThanOrEqual(2);
  expect(await page.title()).not.toBe('run');
  await page.close();
});

test('it prints to PDF, with its totals and without the tools of the screen', async () => {
  const { page } = await open(companyPage(fullMonth(20_000), 'pt'));
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText('Ela não é impressa.').isVisible()).toBe(true);
  expect(await page.locator('#documents').isVisible()).toBe(false);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.length).toBeLessThan(2 * 1024 * 1024);
  await page.close();
});

test('without JavaScript the figures stay, and the table says what it needs', async () => {
  const { page } = await open(companyPage(fullMonth(20), 'en'), { javaScriptEnabled: false });
  expect(await page.getByText('This table needs JavaScript.').isVisible()).toBe(true);
  expect(await page.locator('#documents').isVisible()).toBe(false);
  expect(await page.locator('svg.chart').count()).toBe(2);
  await page.close();
});
