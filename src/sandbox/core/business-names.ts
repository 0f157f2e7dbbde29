import { unitOf } from './chance.js';

const kinds = ['Comercial', 'Distribuidora', 'Indústria', 'Atacado', 'Importadora', 'Mercado', 'Oficina'];
const names = [
  'Aurora',
  'Boa Vista',
  'Caminho Novo',
  'Ipê',
  'Jatobá',
  'Mantiqueira',
  'Paraíso',
  'Serra Azul',
];
const places: readonly Place[] = [
  { state: 'SP', city: 'São Paulo', postalCode: '01310100' },
  { state: 'RJ', city: 'Rio de Janeiro', postalCode: '20040002' },
  { state: 'MG', city: 'Belo Horizonte', postalCode: '30130010' },
  { state: 'PR', city: 'Curitiba', postalCode: '80010000' },
  { state: 'BA', city: 'Salvador', postalCode: '40020000' },
];

interface Place {
  readonly state: string;
  readonly city: string;
  readonly postalCode: string;
}

/** An invented business that is always the same for the same text. */
export function businessName(from: string): string {
  return `${pick(kinds, `${from}:kind`, 'Comercial')} ${pick(names, `${from}:name`, 'Aurora')} Ltda`;
}

export function businessPlace(from: string): Place {
  return pick(places, `${from}:place`, { state: 'SP', city: 'São Paulo', postalCode: '01310100' });
}

function pick<Value>(values: readonly Value[], from: string, otherwise: Value): Value {
  return values[Math.floor(unitOf(from) * values.length)] ?? otherwise;
}
