/** Why the authority says no: its own number, and its text as it answers it (Portuguese, as everything it says). */
export interface Rejection {
  readonly code: string;
  readonly message: string;
}

const texts: Readonly<Record<string, string>> = {
  '222': 'Rejeição: Protocolo do evento difere do cadastrado ou o evento não pode ser cancelado',
  '573': 'Rejeição: Duplicidade de evento',
  '575': 'Rejeição: O autor do evento não é o destinatário da NF-e',
  '594': 'Rejeição: O número de sequência do evento informado é maior que o permitido',
  '595': 'Rejeição: Obrigatória a informação da justificativa do evento',
  '596': 'Rejeição: Evento apresentado fora do prazo',
  '650': 'Rejeição: Evento de Ciência da Operação para NF-e cancelada ou denegada',
  '651': 'Rejeição: Evento de Desconhecimento da Operação para NF-e cancelada ou denegada',
  '655': 'Rejeição: Evento de Ciência da Operação informado após a manifestação conclusiva do destinatário',
  '999': 'Rejeição: Erro não catalogado',
  E1833: 'Já existe manifestação do tomador registrada para esta NFS-e',
};

export function rejection(code: string, message?: string): Rejection {
  return { code, message: message ?? texts[code] ?? `Rejeição ${code}` };
}
