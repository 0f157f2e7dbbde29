/** Typed by hand from the public description of a service of this kind. */
export const companyPath = (id: string): string => `/v2/companies/${id}`;

/** facts §8: digits by the rule. */
export const newCompany = {
  name: 'Padaria do Largo Ltda',
  tradeName: 'Padaria do Largo',
  federalTaxNumber: 12345678000195,
  taxRegime: 'SimplesNacional',
  address: {
    state: 'SP',
    city: { code: '3550308', name: 'São Paulo' },
    district: 'Bela Vista',
    street: 'Avenida Paulista',
    number: '1000',
    postalCode: '01310100',
    country: 'BRA',
  },
};

export const stateTaxesPath = (companyId: string): string => `/v2/companies/${companyId}/statetaxes`;

/** A registration of São Paulo: twelve digits. */
export const newStateTax = {
  code: 'SP',
  taxNumber: '110042490114',
  type: 'NFe',
  environmentType: 'Test',
  serie: 1,
  number: 10,
};

export const municipalTaxesPath = (companyId: string): string => `/v2/companies/${companyId}/municipaltaxes`;

export const newMunicipalTax = {
  city: { code: '3550308', name: 'São Paulo' },
  taxNumber: '12345678',
  environment: 'Development',
  rpsSerialNumber: 'A1',
  rpsNumber: 10,
};

export const certificatesPath = (companyId: string): string => `/v2/companies/${companyId}/certificates`;
export const certificatePath = (companyId: string, thumbprint: string): string =>
  `${certificatesPath(companyId)}/${thumbprint}`;

/** In the published order. */
export const companyRegimes = [
  'None',
  'LucroReal',
  'LucroPresumido',
  'SimplesNacional',
  'SimplesNacionalExcessoSublimite',
  'MicroempreendedorIndividual',
  'Isento',
];

const text = { type: 'string' };

/** The body of create and update as published: closed at every level, the number an integer. */
export const companyBody = {
  type: 'object',
  additionalProperties: false,
  required: ['company'],
  properties: {
    company: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'federalTaxNumber', 'taxRegime', 'address'],
      properties: {
        ...{ id: text, name: text, tradeName: text, accountId: text, municipalTaxNumber: text },
        federalTaxNumber: { type: 'integer' },
        taxRegime: { enum: companyRegimes },
        address: {
          type: 'object',
          additionalProperties: false,
          required: ['state', 'city', 'district', 'street', 'number', 'postalCode', 'country'],
          properties: {
            ...{ state: text, district: text, street: text, number: text, postalCode: text, country: text },
            additionalInformation: text,
            city: {
              type: 'object',
              additionalProperties: false,
              required: ['code', 'name'],
              properties: { code: text, name: text },
            },
          },
        },
      },
    },
  },
};
