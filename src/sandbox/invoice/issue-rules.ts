import type { Core } from '../core/core.js';
import { certificateTrouble } from '../maintenance/spacing.js';
import type { NumberSpace, StoredInvoice } from './invoices.js';

/** Why the authority or the town says no: its own number, and its text (Portuguese, as everything it says). */
export interface IssueRejection {
  readonly code: string;
  readonly message: string;
}

const texts: Readonly<Record<string, string>> = {
  '203': 'Rejeição: Emissor não habilitado para emissão de NF-e',
  '206': 'Rejeição: NF-e já está inutilizada na Base de dados da SEFAZ',
  '280': 'Rejeição: Certificado Transmissor inválido',
  '281': 'Rejeição: Certificado Transmissor Data Validade',
  '301': 'Uso Denegado: Irregularidade fiscal do emitente',
  '501': 'Rejeição: Prazo de cancelamento superior ao previsto na Legislação',
  '539': 'Rejeição: Duplicidade de NF-e, com diferença na Chave de Acesso',
  '999': 'Rejeição: Erro não catalogado',
  E10: 'RPS já informado',
};

export function issueRejection(code: string): IssueRejection {
  return { code, message: texts[code] ?? `Rejeição ${code}` };
}

/** §1: a digital certificate is required. Its absence is told by the number for an invalid one (assumed). */
const certificateCodes = { CertificateMissing: '280', CertificateExpired: '281' } as const;

/**
 * The rules that need to know of the issuer and of other invoices: a certificate that is missing or has expired by `at`, a
 * number that is taken or disabled, an RPS sent before.
 */
export function findIssueRejection(
  core: Core,
  invoice: StoredInvoice,
  at: number,
): IssueRejection | undefined {
  const { content, companyId, environment, id, tenantId } = invoice;
  // Deleted since: nobody is left to issue it.
  if (core.companies.find(tenantId, companyId) === undefined) return issueRejection('203');
  const trouble = certificateTrouble(core, companyId, at);
  if (trouble !== undefined) return issueRejection(certificateCodes[trouble]);
  if (invoice.kind === 'nfse') {
    const rps = { serial: content['rpsSerialNumber'], number: content['rpsNumber'] };
    const isTaken = core.invoices.hasRps({ companyId, environment }, rps);
    return isTaken ? issueRejection('E10') : undefined;
  }
  const number = content['number'];
  if (typeof number !== 'number') return undefined;
  const space = numberSpaceOf(invoice);
  const holder = core.invoices.withNumber(space, number);
  if (holder !== undefined && holder.id !== id) return issueRejection('539');
  return core.disablements.overlapping(space, number, number) === undefined
    ? undefined
    : issueRejection('206');
}

/** Where the number of this invoice counts. An NFS-e has no serie of its own, its RPS has. */
export function numberSpaceOf({ companyId, kind, environment, content }: StoredInvoice): NumberSpace {
  const serie = kind === 'nfse' || kind === 'general' ? 1 : content['serie'];
  return { companyId, kind, environment, serie: typeof serie === 'number' ? serie : 1 };
}
