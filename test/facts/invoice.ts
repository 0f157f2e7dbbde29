/** Typed by hand from the service document and, where it is silent, from the table of operations. */

/** §4: the short way. */
export const generalPath = '/v2/nota-fiscal';
export const generalOnePath = (id: string): string => `${generalPath}/${id}`;
/** §4: header, unique per creation. */
export const idempotencyHeader = 'Idempotency-Key';

export const productInvoicesPath = (companyId: string): string => `/v2/companies/${companyId}/productinvoices`;
export const consumerInvoicesPath = (companyId: string): string => `/v2/companies/${companyId}/consumerinvoices`;
export const serviceInvoicesPath = (companyId: string): string => `/v1/companies/${companyId}/serviceinvoices`;

/** NF-e is accepted, NFC-e queued with 200, NFS-e accepted with the place to look at. */
export const acceptedStatus = 202;
export const queuedStatus = 200;

/** Where an NFS-e waits, and how its flow ends. */
export const flowWaits = ['WaitingCalculateTaxes', 'WaitingDefineRpsNumber', 'WaitingSend', 'WaitingReturn'];
export const flowEnds = ['Issued', 'IssueFailed', 'Cancelled', 'CancelFailed'];

/** Pages of service invoices. */
export const mostOnPage = 50;

/** A CPF and a CNPJ with right digits (facts §8). */
export const cpf = '52998224725';
export const cnpj = '11222333000181';

export const merchandise = {
  buyer: { name: 'Maria da Silva', federalTaxNumber: Number(cpf) },
  items: [{ description: 'Café torrado', quantity: 2, unitAmount: 10.5 }],
};
export const services = { cityServiceCode: '2690', description: 'Consultoria', servicesAmount: 100 };
export const general = {
  cliente: { nome: 'Maria da Silva', cpf },
  itens: [{ descricao: 'Café torrado', quantidade: 2, valorUnitario: 10.5 }],
};
