import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../../../src/config/sandbox-profile.js';
import { runFiscal, type TestHost, testHost } from '../../support/host.js';

const key = '35261011222333000181550010000000771123456789';
const note = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe versao="4.00" Id="NFe${key}"><ide><mod>55</mod><dhEmi>2026-10-05T09:00:00-03:00</dhEmi></ide><emit><CNPJ>11222333000181</CNPJ></emit><total><ICMSTot><vNF>100.00</vNF></ICMSTot></total></infNFe></NFe></nfeProc>`;
const event = `<resEvento versao="1.01" xmlns="http://www.portalfiscal.inf.br/nfe"><CNPJ>11222333000181</CNPJ><chNFe>${key}</chNFe><dhEvento>2026-10-06T10:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><xEvento>Cancelamento</xEvento></resEvento>`;

function folderOf(host: TestHost): string {
  const folder = join(host.root, 'xml');
  mkdirSync(join(folder, 'z'), { recursive: true });
  // The event comes before its note.
  writeFileSync(join(folder, 'a-event.xml'), event);
  writeFileSync(join(folder, 'z', 'note.XML'), note);
  writeFileSync(join(folder, 'danfe.pdf'), 'pdf');
  return folder;
}

const seed = async (host: TestHost, ...flags: string[]) => {
  const { exitCode, stdout, stderr } = await runFiscal(['sandbox', 'seed', ...flags], host);
  return { exitCode, stdout, stderr };
};
const { companyId } = sandboxProfile.account;
/** Of the company that every new sandbox has. */
const companyTaxNumber = '29638438000181';
const counts = { files: 2, refused: 0, others: 1, notes: 0, issued: 0, summaries: 0, events: 0, hidden: 0 };

describe('fiscal sandbox seed --from', () => {
  it('gives a folder to the sandbox, once, and says what became of it', async () => {
    const host = testHost();
    const from = folderOf(host);
    const first = await seed(host, '--from', from, '--company', companyId, '-o', 'json');
    expect([first.exitCode, JSON.parse(first.stdout)]).toEqual([
      0,
      [{ type: 'summary', from, ...counts, added: 2, known: 0, notes: 1, events: 1, exitCode: 0 }],
    ]);
    const again = await seed(host, '--from', from, '--company', companyId, '-o', 'json');
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([
      0,
      [{ type: 'summary', from, ...counts, added: 0, known: 2, exitCode: 0 }],
    ]);
  });

  it('exits 3 with a line for each file that is refused, and follows no link', async () => {
    const host = testHost();
    const from = folderOf(host);
    symlinkSync('/etc/hostname', join(from, 'link.xml'));
    writeFileSync(join(from, 'text.xml'), 'hello');
    const { exitCode, stdout } = await seed(host, '--from', from, '-o', 'table');
    expect([exitCode, stdout.split('\n')]).toEqual([
      3,
      [
        'link.xml: it is a link, and links are not followed',
        'text.xml: it is not readable as XML: it has no element',
        'z/note.XML: none of its tax numbers (11222333000181) is that of a company of the sandbox: create the company, or name one with --company',
        `a-event.xml: ${eventReason}`,
        '4 XML files: 0 added, 0 there already, 4 refused',
        'taken as: 0 notes received, 0 notes issued, 0 summaries, 0 events',
        '',
      ],
    ]);
  });

  it.each([
    [['--company', 'x'], '--company goes with --from'],
    [['--from', '.', '--documents', '3'], '--documents has no effect with --from'],
    [['--from', '.'], '. has no XML file'],
  ])('refuses %j', async (flags, message) => {
    const { exitCode, stderr } = await seed(testHost(), ...flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

/** The layout that most cities have, without a national key. */
const municipal = `<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse><InfNfse Id="n1"><Numero>1234</Numero><CodigoVerificacao>ABC</CodigoVerificacao><DataEmissao>2026-10-05T22:30:00</DataEmissao><PrestadorServico><IdentificacaoPrestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></IdentificacaoPrestador><RazaoSocial>Prestadora</RazaoSocial></PrestadorServico><DeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>300.00</ValorServicos></Valores></Servico><TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${companyTaxNumber}</Cnpj></CpfCnpj></IdentificacaoTomador></TomadorServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>`;

describe('an NFS-e of a city, which has no key', () => {
  it('is archived under its id, listed in its own month and proven', async () => {
    const host = testHost();
    writeFileSync(join(host.root, 'note.xml'), municipal);
    expect((await seed(host, '--from', host.root, '-o', 'json')).exitCode).toBe(0);
    const run = async (...words: string[]) => {
      const flags = ['--profile', 'sandbox', '--company', companyId, '-o', 'json'];
      const { exitCode, stdout } = await runFiscal([...words, ...flags], host);
      return { exitCode, rows: JSON.parse(stdout) as readonly Record<string, unknown>[] };
    };
    const synced = await run('inbound', 'sync');
    expect([synced.exitCode, synced.rows.at(-1)]).toMatchObject([0, { added: 1, archived: 1 }]);
    const { rows } = await run('inbound', 'list', '--local');
    expect(rows).toMatchObject([{ number: '1234', month: '2026-10', day: '2026-10-05', state: 'standing' }]);
    const closed = await run('inbound', 'close', '2026-10', '--type', 'nfse');
    expect([closed.exitCode, closed.rows]).toEqual([
      0,
      [
        expect.objectContaining({ verdict: 'complete', listed: 1, archived: 1 }),
        expect.objectContaining({ complete: 1 }),
      ],
    ]);
  });
});

const eventReason = 'it does not name its recipient, and its note is not here: name the company with --company';
