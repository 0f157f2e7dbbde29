import type { KnownCompany } from '../core/records.js';
import type { Text } from '../../contract/text.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import type { GivenDocument } from '../xml/given-document.js';
import { readDocument } from '../xml/read-document.js';
import { type ControlRequest, fieldsOf, textField } from './control.js';
import { placeIssued, placeIssuedEvent } from './place-issued.js';
import { placeEvent, placeNote, placeSummary } from './place-received.js';
import type { Placing } from './placing.js';

const mostFiles = 1_000;

/**
 * `{files: [{name, content}], company?}`: takes XML of the user, `content` in base64, as documents of the companies whose tax
 * number it has, or of `company`, an id or a CNPJ. Every file has its answer: `added`, `known` or `refused`.
 */
export function addFiles(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['files', 'company']);
  const word = textField(fields, 'company');
  const chosen = word === undefined ? undefined : companyNamed(core, word);
  const given = fields['files'];
  if (!Array.isArray(given) || given.length > mostFiles)
    throw invalid('files', `Must be a list of at most ${mostFiles} files.`);
  return { files: given.flatMap((file: unknown) => addFile(core, fileOf(file), chosen)) };
}

interface GivenFile {
  readonly name: string;
  readonly content: string;
}

function fileOf(file: unknown): GivenFile {
  if (isRecord(file) && typeof file['name'] === 'string' && typeof file['content'] === 'string')
    return { name: file['name'], content: file['content'] };
  throw invalid('files', 'Each needs a name and its content in base64.');
}

function companyNamed(core: Core, word: string): KnownCompany {
  const { tenantId } = core.account;
  const byNumber = core.companies.withTaxNumber(tenantId, word.replaceAll(/[./\-\s]/g, '').toUpperCase());
  const found = core.companies.find(tenantId, word) ?? byNumber;
  if (found === undefined) throw invalid('company', 'Is not the id or the CNPJ of a company of the sandbox.');
  return found;
}

function addFile(
  core: Core,
  { name: file, content }: GivenFile,
  chosen: KnownCompany | undefined,
): readonly object[] {
  const bytes = Buffer.from(content, 'base64');
  const found = readDocument(bytes);
  if ('refused' in found) return [{ file, outcome: 'refused', reason: found.refused }];
  const companies = chosen === undefined ? companiesOf(core, found) : [chosen];
  if (companies.length === 0) {
    // The note of an event or of a summary may come later.
    return [
      {
        file,
        outcome: 'refused',
        ...(found.part === 'note' ? {} : { isEarly: true }),
        reason: homeless(found),
      },
    ];
  }
  const { family, part, accessKey } = found;
  return companies.map((company) => {
    const { id: companyId } = company;
    const named = { file, family, part, ...(accessKey === null ? {} : { accessKey }), companyId };
    return { ...named, ...place(core, { found, bytes, company }) };
  });
}

/** The companies with the note, else those whose tax number is in the XML. */
function companiesOf(core: Core, found: GivenDocument): readonly KnownCompany[] {
  const { tenantId } = core.account;
  const ids = found.part === 'note' || found.accessKey === null ? [] : holdersOf(core, found.accessKey);
  const holders = ids.flatMap((id) => core.companies.find(tenantId, id) ?? []);
  // A summary names only the issuer, who is not the one that receives it.
  if (holders.length > 0 || found.part === 'summary') return holders;
  return found.taxNumbers.flatMap((taxNumber) => core.companies.withTaxNumber(tenantId, taxNumber) ?? []);
}

function holdersOf(core: Core, accessKey: string): readonly string[] {
  const issued = core.invoices.byAccessKey(accessKey)?.companyId;
  const received = core.documents.withKey(accessKey).map(({ companyId }) => companyId);
  return [...new Set([...(issued === undefined ? [] : [issued]), ...received])];
}

function place(core: Core, placing: Placing): object {
  const { found, company } = placing;
  switch (found.part) {
    case 'note': {
      const isIssuer = found.issuer.taxNumber === company.federalTaxNumber;
      // The sandbox issues no CT-e: one of the company is captured.
      return isIssuer && found.model !== 'cte'
        ? placeIssued(core, { ...placing, found })
        : placeNote(core, { ...placing, found }, isIssuer ? 'outgoing' : 'incoming');
    }
    case 'summary':
      return placeSummary(core, { ...placing, found });
    case 'event': {
      const invoice = core.invoices.byAccessKey(found.accessKey);
      return invoice?.companyId === company.id
        ? placeIssuedEvent(core, { ...placing, found }, invoice)
        : placeEvent(core, { ...placing, found });
    }
  }
}

function homeless(found: GivenDocument): Text {
  if (found.part !== 'note') {
    return {
      en: 'it does not name its recipient, and its note is not here: name the company with --company',
      pt: 'não traz o destinatário, e a sua nota não está aqui: informe a empresa com --company',
    };
  }
  // A CPF is not printed.
  const numbers = found.taxNumbers.filter((taxNumber) => taxNumber.length === 14).join(', ');
  const named = numbers === '' ? '' : ` (${numbers})`;
  return {
    en: `none of its tax numbers${named} is that of a company of the sandbox: create the company, or name one with --company`,
    pt: `nenhum CNPJ dela${named} é de uma empresa do sandbox: crie a empresa ou informe uma com --company`,
  };
}
