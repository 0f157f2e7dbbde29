import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { companyPage } from '../../src/report/company-page.js';
import type { ReportVerdict } from '../../src/report/facts.js';
import { markOfReport } from '../../src/report/page.js';
import { closed, document, facts, hostileDocuments, hostileNames, issuedFacts, unclosed } from './facts.js';

/** The text that a reader sees, without scripts and styles, one blank between words. */
function textOf(page: string): string {
  return page
    .replaceAll(/<(script|style)[^]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

/** The rows in the page, as its script reads them. */
function payload(page: string): { rows: unknown[][]; parties: string[][]; words: { files: string[] } } {
  const found = /<script type="application\/json" id="rows">([^<]*)<\/script>/.exec(page);
  return JSON.parse(found?.[1] ?? '') as ReturnType<typeof payload>;
}

describe('the verdict in words', () => {
  const verdicts: readonly (readonly [ReportVerdict, string, string])[] = [
    ['complete', 'Complete The close proves that every document', 'Completo O fechamento prova que todo documento'],
    ['incomplete', 'Incomplete The close names documents', 'Incompleto O fechamento aponta documentos'],
    [
      'not-provable',
      'Not provable The close found no gap, but it cannot',
      'Sem comprovação O fechamento não achou divergências, mas',
    ],
    [
      'not-closed',
      'Not closed The archive has no close of this month',
      'Não fechado A pasta de documentos não tem o fechamento',
    ],
    [
      'older',
      'Not proven The close follows the rules of another version',
      'Não comprovado O fechamento segue as regras de outra',
    ],
    [
      'contradictory',
      'Proof does not hold The close in the archive contradicts',
      'A prova não confere O fechamento na pasta de documentos',
    ],
  ];

  test.each(verdicts)('%s', (verdict, en, pt) => {
    const close = { ...(verdict === 'not-closed' ? unclosed : closed), verdict };
    expect(textOf(companyPage(facts({ close }), 'en'))).toContain(en);
    expect(textOf(companyPage(facts({ close }), 'pt'))).toContain(pt);
  });

  test('only a complete month claims a proof, and every other one has the command that closes it', () => {
    for (const [verdict] of verdicts) {
      const text = textOf(companyPage(facts({ close: { ...closed, verdict } }), 'en'));
      expect([verdict, text.includes('The close proves')]).toEqual([verdict, verdict === 'complete']);
      expect([verdict, text.includes('To close the month again: fiscal inbound close 2026-10')]).toEqual([
        verdict,
        verdict !== 'complete',
      ]);
    }
  });

  test('it stands with its time, and with what has come since', () => {
    const close = { ...closed, since: { added: 2, changed: 1, unknown: 4 } };
    const text = textOf(companyPage(facts({ close }), 'en'));
    expect(text).toContain('Closed on 2026-11-02 09:30 (Brasília time).');
    expect(text).toContain('2 documents of the month are not in the proof');
    expect(text).toContain('1 document has another status than in the proof');
    expect(text).toContain('4 documents of the proof are not known to this machine');
  });

  test('without a valid close, gaps are not known', () => {
    expect(textOf(companyPage(facts({ close: unclosed }), 'en'))).toContain('Gaps are not known');
    expect(textOf(companyPage(facts(), 'en'))).toContain('The close found no gap.');
  });

  test('reasons and gaps stand with what to do', () => {
    const reason = { en: 'the month is not over', pt: 'o mês não terminou' };
    const gap = {
      ...{ count: 2, what: { en: 'The file is missing', pt: 'O arquivo falta' } },
      ...{ todo: { en: 'Fetch it.', pt: 'Busque.' }, command: "fiscal inbound sync --company 'a b'" },
    };
    const close = { ...closed, verdict: 'incomplete' as const, reasons: [reason], gaps: [gap] };
    const page = companyPage(facts({ close }), 'pt');
    expect(page).toContain('<li>o mês não terminou</li>');
    expect(page).toContain('<code>fiscal inbound sync --company &#39;a b&#39;</code>');
    expect(textOf(page)).toContain('2 O arquivo falta Busque.');
  });
});

describe('figures', () => {
  const documents = [
    document(1, { amount: '0.10' }),
    document(2, { amount: '0.20', day: '2026-10-31' }),
    document(3, { amount: undefined }),
    document(4, { amount: '999.99', state: 'cancelled' }),
    document(5, { family: 'nfse', amount: '1234567.8', party: '12345678909', partyName: undefined }),
    document(6, { amount: '5', state: 'substituted' }),
  ];

  test('add up exactly, without what is cancelled, and say what they lack', () => {
    const text = textOf(companyPage(facts({ documents }), 'en'));
    expect(text).toContain('Documents 6 0 summaries only, 0 without file');
    expect(text).toContain('Value R$ 1,234,568.10 documents that stand, 1 without a known value');
    expect(text).toContain('Cancelled or without effect 2 1 cancelled, 1 substituted');
    expect(text).toContain('NF-e 3 R$ 0.30 1 without a known value 2');
    expect(text).toContain('NFS-e 1 R$ 1,234,567.80 0');
    expect(textOf(companyPage(facts({ documents }), 'pt'))).toContain('Valor R$ 1.234.568,10');
  });

  test('the answers of the authority stand below the manifestations, the refused ones first', () => {
    const confirmation = { en: 'Confirmation', pt: 'Confirmação' };
    const good = {
      event: confirmation,
      code: '135',
      text: 'Evento registrado',
      protocol: '135260000000001',
      isRegistered: true,
    };
    const refused = { ...good, code: '596', text: 'Fora do <prazo>', protocol: undefined, isRegistered: false };
    const page = companyPage(
      facts({ documents: [document(1, { answers: [good] }), document(2, { answers: [refused] })] }),
      'pt',
    );
    expect(textOf(page)).toMatch(
      /Respostas da SEFAZ \(2\).*Confirmação 596 Fora do &lt;prazo&gt; .*0002.*Confirmação 135 Evento registrado protocolo 135260000000001/,
    );
    expect(textOf(companyPage(facts(), 'pt'))).not.toContain('Respostas da SEFAZ');
  });

  test('a value that is not known is not zero', () => {
    const text = textOf(companyPage(facts({ documents: [document(1, { amount: undefined })] }), 'en'));
    expect(text).toContain('Value not known');
    expect(text).not.toContain('R$ 0.00 without a known');
  });

  test('a company that was never synced has no figures', () => {
    const never = facts({ documents: [], lists: [{ family: 'nfe', readAt: null }] });
    expect(textOf(companyPage(never, 'en'))).toContain('Its documents are not known.');
    expect(companyPage(never, 'en')).not.toContain('<dl');
  });

  test('a CPF is masked, in tables and in the rows of the script', () => {
    const page = companyPage(facts({ documents }), 'en');
    expect(page).not.toContain('12345678909');
    expect(page).toContain('***.***.***-09');
  });

  test('the rows of the script have every document, with its amount as text', () => {
    const { rows, parties } = payload(companyPage(facts({ documents }), 'en'));
    expect(rows.map((row) => row[4])).toEqual(['0.10', '0.20', 0, '999.99', '1234567.8', '5']);
    expect(rows.map((row) => row[5])).toEqual([0, 0, 0, 1, 0, 2]);
    expect(parties).toEqual([
      ['30057049000141', 'Padaria Sol Ltda'],
      ['***.***.***-09', ''],
    ]);
  });

  test('a document outside the proof is marked only where there is a proof', () => {
    const outside = [document(1, { isProven: false })];
    const marked = payload(companyPage(facts({ documents: outside }), 'en'));
    expect(marked.words.files[Number(marked.rows[0]?.[6])]).toBe('Full XML, not in the proof');
    const { rows, words } = payload(companyPage(facts({ documents: outside, close: unclosed }), 'en'));
    expect(words.files[Number(rows[0]?.[6])]).toBe('Full XML');
  });
});

describe('a page', () => {
  test('loads nothing and allows its own style and script only', () => {
    const page = companyPage(facts(), 'en');
    const hash = (text: string | undefined) =>
      createHash('sha256')
        .update(text ?? '')
        .digest('base64');
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1];
    const script = /<script>([^]*?)<\/script>/.exec(page)?.[1];
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash(style)}'; script-src 'sha256-${hash(script)}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).not.toMatch(/https?:|url\(|@import|\bsrc=|\bstyle=|\son\w+=/);
  });

  test('names its language and its month', () => {
    expect(companyPage(facts(), 'pt')).toContain('<html lang="pt-BR">');
    expect(companyPage(facts(), 'pt')).toContain('<title>Acme Ltda, outubro de 2026</title>');
    expect(markOfReport(companyPage(facts(), 'en').slice(0, 1024))).toBe(`2026-10 ${facts().company.id}`);
    expect(markOfReport('<html><meta name="viewport" content="2026-10">')).toBeUndefined();
  });

  test.each(hostileNames)('shows %j as text', (name) => {
    const page = companyPage(
      facts({
        documents: hostileDocuments(),
        company: { id: name, name, taxNumber: name },
        certificate: { state: 'valid', validUntil: null, isEnding: false, subject: name, seenAt: 0 },
        usage: [{ operation: { en: name, pt: name }, billed: 1, unknown: 0, freeRepeats: 0 }],
      }),
      'en',
    );
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/<img|<!--|<svg onload|<style>body/);
    expect(page).not.toMatch(/[\u2028\u2029\u202A-\u202E]/);
    expect(payload(page).rows).toHaveLength(hostileDocuments().length);
  });
});

test('only a certificate that lasts stands without the command that lists it', () => {
  const shown = (isEnding: boolean) => {
    const certificate = {
      state: 'valid',
      validUntil: '2027-10-31T00:00:00Z',
      isEnding,
      subject: null,
      seenAt: 0,
    } as const;
    const page = companyPage(facts({ certificate }), 'en');
    return [/<span class="badge (\w+)">Valid/.exec(page)?.[1], textOf(page).includes('fiscal certificate list')];
  };
  expect([shown(false), shown(true)]).toEqual([
    ['good', false],
    ['warn', true],
  ]);
});

describe('a page of issued invoices', () => {
  const text = textOf(companyPage(issuedFacts(), 'en'));

  test('names customers instead of suppliers, and no event of a recipient', () => {
    expect(text).toContain('Issued invoices, October 2026');
    expect(text).toContain('By customer');
    for (const word of ['upplier', 'anifestation', 'eadline', 'Capture', 'Received documents'])
      expect([word, text.includes(word)]).toEqual([word, false]);
    const columns = [...companyPage(issuedFacts(), 'en').matchAll(/data-column="(\w+)"/g)].map(([, name]) => name);
    expect(columns).toEqual(['day', 'type', 'party', 'amount', 'state', 'file']);
  });

  test('shows what the close read of each model, and what it did not', () => {
    expect(text).toContain('NF-e 2026-11-02 09:29 2 2 1 2026-11-02 09:29');
    expect(text).toContain('NFC-e 2026-11-02 09:29 1 1 0 not known');
    expect(text).toContain('NFS-e not known not known 0 not known not listed by the service');
    expect(text).toContain('Never issued 5 2 not final');
  });

  test('accounts for the numbers of each serie, with the command that disables the missing ones', () => {
    expect(text).toContain('NF-e, serie 7 101–110 2 1 3 4');
    expect(text).toContain(
      'NF-e, serie 7 105–108 fiscal invoice disable --model nfe --serie 7 --from 105 --to 108 --state &lt;UF&gt; --reason &lt;text&gt;',
    );
  });

  test('says what a complete month of issued invoices proves', () => {
    const close = { ...issuedFacts().close, verdict: 'complete' } as const;
    const complete = textOf(companyPage(issuedFacts({ close }), 'en'));
    expect(complete).toContain('The close proves that every invoice of the month that the service listed as issued');
    expect(complete).not.toContain('every document of the month');
    expect(textOf(companyPage(issuedFacts({ close }), 'pt'))).toContain('O fechamento prova que toda nota do mês');
  });
});
