/** How a state is meant: it decides the colour and the sign. `open`: not decided yet. */
export type Tone = 'good' | 'bad' | 'warn' | 'open' | 'none';

/** `en`: where the value itself is no phrase. */
type State = readonly [tone: Tone, pt?: string, en?: string];

/** The states that the program and the service give. Any other one is shown as it came. */
export const stateWords: Readonly<Record<string, State>> = {
  // Items and jobs.
  loading: ['open', 'em leitura'],
  open: ['open', 'em aberto'],
  // A job that has ended, whatever became of its items.
  done: ['none', 'concluído'],
  cancelled: ['none', 'cancelado'],
  prepared: ['open', 'não enviado'],
  sending: ['open', 'em envio'],
  pending: ['open', 'pendente'],
  succeeded: ['good', 'concluído'],
  settled: ['good', 'concluído'],
  hidden: ['none', 'oculta'],
  rejected: ['bad', 'rejeitado'],
  failed: ['bad', 'com falha'],
  skipped: ['none', 'pulado'],
  uncertain: ['warn', 'sem confirmação'],
  changed: ['warn', 'alterado'],
  // The close of a month, and the archive.
  complete: ['good', 'completo'],
  incomplete: ['bad', 'incompleto'],
  'not-provable': ['warn', 'sem comprovação'],
  'not-closed': ['warn', 'não fechado'],
  older: ['warn', 'por regras de outra versão'],
  proven: ['good', 'comprovado'],
  'not-verified': ['warn', 'não conferido', 'not verified'],
  'changed-since-close': ['bad', 'alterado depois do fechamento', 'changed since the close'],
  contradictory: ['bad', 'a prova não confere'],
  // A package of documents.
  written: ['good', 'gravado'],
  'nothing-new': ['none', 'sem novidade'],
  damaged: ['bad', 'arquivos não conferem'],
  planned: ['none', 'previsto'],
  archived: ['good', 'arquivada'],
  wanted: ['open', 'a buscar'],
  quarantined: ['bad', 'em quarentena'],
  gone: ['warn', 'sumiu do serviço'],
  full: ['none', 'completo'],
  standing: ['good', 'ativa'],
  substituted: ['none', 'substituída'],
  annulled: ['none', 'anulada'],
  denied: ['bad', 'denegada'],
  disabled: ['none', 'inutilizada'],
  event: ['none', 'evento'],
  missing: ['bad', 'ausente'],
  'other-archive': ['bad', 'em outra pasta'],
  'behind-link': ['bad', 'atrás de um link'],
  unreadable: ['bad', 'ilegível'],
  'unknown-layout': ['bad', 'leiaute desconhecido'],
  'other-document': ['bad', 'outro documento'],
  summary: ['none', 'resumo'],
  held: ['warn', 'em uso por outra execução'],
  // The bill of the service.
  equal: ['good', 'igual'],
  'within-unknown': ['warn', 'dentro do sem resultado'],
  different: ['bad', 'diferente'],
  // Companies that were checked.
  warning: ['none', 'atenção'],
  critical: ['none', 'crítico'],
  off: ['none', 'desligada'],
  // Terms of manifestations.
  sent: ['open', 'enviado'],
  lost: ['bad', 'fora do prazo'],
  presumed: ['open', 'presumido'],
  unknown: ['warn', 'desconhecido'],
  // Webhooks on this machine.
  received: ['open', 'recebido'],
  forwarding: ['open', 'em encaminhamento'],
  delivered: ['good', 'entregue'],
  dead: ['bad', 'sem entrega'],
  kept: ['good', 'guardado'],
  // The service: products, companies, invoices, documents, events, webhooks.
  Created: ['open', 'Criado'],
  CustomTaxPending: ['open', 'Tributação pendente'],
  Active: ['good', 'Ativo'],
  Inactive: ['none', 'Inativo'],
  Error: ['bad', 'Erro'],
  Processing: ['open', 'Em processamento'],
  Processed: ['good', 'Processado'],
  Received: ['good', 'Recebido'],
  Pending: ['open', 'Pendente'],
  Accepted: ['good', 'Aceito'],
  Rejected: ['bad', 'Rejeitado'],
  Failed: ['bad', 'Com falha'],
  Skipped: ['none', 'Não enviado'],
  Issued: ['good', 'Emitida'],
  IssueFailed: ['bad', 'Falha na emissão'],
  IssueDenied: ['bad', 'Denegada'],
  Cancelled: ['none', 'Cancelada'],
  CancelFailed: ['bad', 'Falha no cancelamento'],
  Disabled: ['none', 'Inutilizada'],
  Valid: ['good', 'Válido'],
  Expired: ['bad', 'Vencido'],
  Reprocessed: ['good', 'Reprocessado'],
  PdfPending: ['open', 'PDF pendente'],
  PdfFailed: ['bad', 'Falha no PDF'],
  Delivered: ['good', 'Entregue'],
  Retrying: ['open', 'Nova tentativa'],
  DefinitivelyFailed: ['bad', 'Sem entrega'],
  IssuedContingency: ['good', 'Emitida em contingência'],
  WaitingCalculateTaxes: ['open', 'Aguardando impostos'],
  WaitingDefineRpsNumber: ['open', 'Aguardando número do RPS'],
  WaitingSend: ['open', 'Aguardando envio'],
  WaitingReturn: ['open', 'Aguardando retorno'],
  WaitingDownload: ['open', 'Aguardando download'],
  WaitingSendCancel: ['open', 'Cancelamento em envio'],
};

/** Words of a short list that are no state: kinds, directions, actions. */
export const kindWords: Readonly<Record<string, string>> = {
  state: 'estadual',
  awareness: 'ciência',
  conclusive: 'conclusiva',
  confirmation: 'confirmação',
  disavowal: 'desconhecimento',
  'not-performed': 'operação não realizada',
  'not-synced': 'não sincronizado',
  'not-archived': 'não arquivada',
  'written-off': 'baixado',
  outdated: 'desatualizado',
  'file-missing': 'arquivo ausente',
  'file-changed': 'arquivo alterado',
  'other-archive': 'em outra pasta',
  'behind-link': 'atrás de um link',
  'summary-only': 'só o resumo',
  'summary-not-standing': 'só o resumo, nota cancelada ou denegada',
  'not-a-document': 'não é um documento',
  'signature-invalid': 'assinatura inválida',
  'event-not-synced': 'evento não sincronizado',
  'event-not-archived': 'evento não arquivado',
  'event-written-off': 'evento baixado',
  'event-file-missing': 'arquivo do evento ausente',
  'event-file-changed': 'arquivo do evento alterado',
  'event-behind-link': 'evento atrás de um link',
  'row-unreadable': 'linhas ilegíveis',
  // What `inbound verify` found.
  changed: 'alterado',
  missing: 'ausente',
  extra: 'a mais',
  swapped: 'trocado com outro',
  'xml-kind': 'XML de outro tipo',
  proof: 'prova alterada',
  verdict: 'resultado não confere',
  'proof-older': 'prova de outra versão',
  link: 'link não lido',
  unreadable: 'ilegível',
  'only-erp': 'só no ERP',
  'only-captured': 'só capturado',
  'only-issued': 'só emitida',
  'not-issued': 'não emitida',
  'not-final': 'sem situação final',
  'cancelled-since': 'cancelado depois',
  'invalid-key': 'chave inválida',
  release: 'liberar',
  revoke: 'revogar',
  complete: 'até o fim',
  none: 'nenhuma',
  create: 'criar',
  update: 'alterar',
  unchanged: 'igual',
  blocked: 'nada enviado',
  repeated: 'linha repetida',
  invalid: 'inválida',
  product: 'produto',
  synced: 'sincronização',
  invoice: 'emissão',
  received: 'recebidos',
  issued: 'emitidos',
  data: 'dados',
  engine: 'motor de cálculo',
  issuer: 'emitente',
  'issuer-cpf': 'emitente (CPF)',
  'tax-office': 'SEFAZ',
  seed: 'semente',
  skip: 'ignorar',
  applied: 'aplicado',
  'not-possible': 'não é possível',
  valid: 'válida',
};

/** The code that is meant by a word as the screen shows it, in any language, case and accents. */
export function codeOf(typed: string, codes: readonly string[]): string | undefined {
  if (codes.includes(typed)) return typed;
  const word = plain(typed);
  return codes.find((code) => shownAs(code).includes(word));
}

/** The code and its words, plain. */
export function shownAs(code: string): readonly string[] {
  const [, state] = Object.hasOwn(stateWords, code) ? (stateWords[code] ?? []) : [];
  const kind = Object.hasOwn(kindWords, code) ? kindWords[code] : undefined;
  return [code, state, kind].flatMap((word) => (word === undefined ? [] : [plain(word)]));
}

/** Typed words are short; a megabyte of arguments is not compared. */
function plain(word: string): string {
  return word.slice(0, 64).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}
