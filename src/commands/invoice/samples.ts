import type { InvoiceInput, MerchandiseInvoiceInput } from '../../contract/invoice.js';
import type { ServiceInvoiceInput } from '../../contract/invoice-service.js';
import type { CheckedModel } from '../../domain/invoice-check.js';

const general: InvoiceInput = {
  cliente: { cpf: '52998224725', nome: 'Maria da Silva' },
  itens: [{ descricao: 'Café torrado 500 g', quantidade: 2, valorUnitario: 18.9 }],
};

const item = {
  code: 'CAFE-500',
  description: 'Café torrado 500 g',
  ncm: '09012100',
  cfop: 5102,
  unit: 'UN',
  unitTax: 'UN',
  quantity: 2,
  unitAmount: 18.9,
  totalAmount: 37.8,
  tax: { icms: { origin: '0', csosn: '102' } },
};

const nfe: MerchandiseInvoiceInput = {
  operationNature: 'Venda de mercadoria',
  operationType: 'Outgoing',
  buyer: {
    name: 'Comércio Exemplo Ltda',
    federalTaxNumber: 11222333000181,
    address: {
      ...{ state: 'SP', city: { code: '3550308', name: 'São Paulo' }, postalCode: '01310-100' },
      ...{ street: 'Avenida Paulista', number: '1000', district: 'Bela Vista', country: 'BRA' },
    },
  },
  items: [item],
  payment: [{ paymentDetail: [{ method: 'Cash', amount: 37.8 }] }],
};

const nfce: MerchandiseInvoiceInput = {
  operationNature: 'Venda ao consumidor',
  operationType: 'Outgoing',
  items: [item],
  payment: [{ paymentDetail: [{ method: 'Cash', amount: 37.8 }] }],
};

const nfse: ServiceInvoiceInput = {
  cityServiceCode: '2690',
  nbsCode: '114012200',
  description: 'Consultoria em tecnologia da informação',
  servicesAmount: 1500,
  borrower: { name: 'Comércio Exemplo Ltda', federalTaxNumber: 11222333000181, email: 'financeiro@example.com' },
};

/** A minimal valid body of each model, as published. */
export const samples: Readonly<Record<CheckedModel, Readonly<Record<string, unknown>>>> = {
  general: { ...general },
  nfe: { ...nfe },
  nfce: { ...nfce },
  nfse: { ...nfse },
};
