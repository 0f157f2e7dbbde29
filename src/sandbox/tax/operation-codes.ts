/** What an operation is to the engine. The codes are invented; natures and ends of the CFOP are those of the law. */
export interface OperationCode {
  readonly code: number;
  readonly description: string;
  readonly way: 'Outgoing' | 'Incoming';
  /** The last three digits of the CFOP; the first tells where the goods go. */
  readonly cfopEnd: string;
  readonly taxation: 'taxed' | 'suspended' | 'exempt';
}

const rows: readonly (readonly [number, string, OperationCode['way'], string, OperationCode['taxation']])[] =
  [
    [121, 'Venda de mercadoria adquirida de terceiros', 'Outgoing', '102', 'taxed'],
    [122, 'Venda de produção do estabelecimento', 'Outgoing', '101', 'taxed'],
    [131, 'Transferência de mercadoria adquirida de terceiros', 'Outgoing', '152', 'taxed'],
    [132, 'Transferência de produção do estabelecimento', 'Outgoing', '151', 'taxed'],
    [141, 'Devolução de compra para comercialização', 'Outgoing', '202', 'taxed'],
    [142, 'Devolução de compra para industrialização', 'Outgoing', '201', 'taxed'],
    [151, 'Remessa em bonificação, doação ou brinde', 'Outgoing', '910', 'taxed'],
    [152, 'Remessa de amostra grátis', 'Outgoing', '911', 'exempt'],
    [153, 'Remessa para demonstração', 'Outgoing', '912', 'suspended'],
    [154, 'Remessa para conserto ou reparo', 'Outgoing', '915', 'suspended'],
    [155, 'Remessa para industrialização por encomenda', 'Outgoing', '901', 'suspended'],
    [199, 'Outra saída de mercadoria', 'Outgoing', '949', 'taxed'],
    [221, 'Compra para comercialização', 'Incoming', '102', 'taxed'],
    [222, 'Compra para industrialização', 'Incoming', '101', 'taxed'],
    [231, 'Compra de bem para o ativo imobilizado', 'Incoming', '551', 'taxed'],
    [232, 'Compra de material para uso ou consumo', 'Incoming', '556', 'taxed'],
    [241, 'Devolução de venda de mercadoria', 'Incoming', '202', 'taxed'],
    [251, 'Retorno de mercadoria remetida para conserto ou reparo', 'Incoming', '916', 'suspended'],
    [299, 'Outra entrada de mercadoria', 'Incoming', '949', 'taxed'],
  ];

export const operationCodes: readonly OperationCode[] = rows.map(
  ([code, description, way, cfopEnd, taxation]) => ({ code, description, way, cfopEnd, taxation }),
);

const byCode = new Map(operationCodes.map((operation) => [operation.code, operation]));

export function findOperationCode(code: number): OperationCode | undefined {
  return byCode.get(code);
}
