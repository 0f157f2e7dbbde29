import type { InvoiceInput, MerchandiseInvoiceInput } from '../../contract/invoice.js';
import type { ServiceInvoiceInput } from '../../contract/invoice-service.js';
import type { CheckedModel } from '../../domain/invoice-check.js';

const general: InvoiceInput = {
  cliente: { cpf: '52998224725', nome: 'Maria da Silva' },
  itens: [{ descricao: 'Café torrado 500 g', quantidade: 2, valorUnitario: '18.90' }],
};

const item = {
  code: 'CAFE-500',
  description: 'Café torrado 500 g',
  ncm: '09012100',
  cfop: 5102,
  unit: 'UN',
  quantity: 2,
  unitAmount: '18.90',
  totalAmount: '37.80',
};

const nfe: MerchandiseInvoiceInput = {
  operationNature: 'Venda de mercadoria',
  operationType: 'Outgoing',
  environment: 'Test',
  buyer: { name: 'Comércio Exemplo Ltda', federalTaxNumber: '11222333000181' },
  items: [item],
  payment: [{ paymentDetail: [{ method: 'Cash', amount: '37.80' }] }],
};

const nfce: MerchandiseInvoiceInput = {
  operationNature: 'Venda ao consumidor',
  operationType: 'Outgoing',
  environment: 'Test',
  items: [item],
  payment: [{ paymentDetail: [{ method: 'Cash', amount: '37.80' }] }],
};

const nfse: ServiceInvoiceInput = {
  cityServiceCode: '2690',
  description: 'Consultoria em tecnologia da informação',
  servicesAmount: '1500.00',
  borrower: {
    name: 'Comércio Exemplo Ltda',
    federalTaxNumber: '11222333000181',
    email: 'financeiro@example.com',
  },
};

/** A minimal valid body of each model; the environment is Test where the body names one. */
export const samples: Readonly<Record<CheckedModel, Readonly<Record<string, unknown>>>> = {
  general: { ...general },
  nfe: { ...nfe },
  nfce: { ...nfce },
  nfse: { ...nfse },
};
