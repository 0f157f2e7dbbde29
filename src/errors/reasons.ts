import type { Text } from '../contract/text.js';
import { errorCatalogue, type ErrorCode } from './catalogue.js';
import type { FiscalError } from './fiscal-error.js';
import { bounded, filled, namesIn, type TextValues } from './text-template.js';

/**
 * Why a row of the store is as it is, by its code: whoever decides by a reason compares the code. The names in braces are
 * values, which stand beside the code.
 */
export const rowReasons = {
  'held-up': { en: 'held up before it was sent', pt: 'ficou retido antes do envio' },
  'perhaps-billed': {
    en: 'nothing of it is found at the service, but the send may have been billed ({looks} looks over {seconds} s)',
    pt: 'nada dela foi encontrado no serviço, mas o envio pode ter sido cobrado ({looks} consultas em {seconds} s)',
  },
  'taken-and-gone': {
    en: 'the service took it, and nothing of it is found there ({looks} looks over {seconds} s)',
    pt: 'o serviço a recebeu, e nada dela é encontrado lá ({looks} consultas em {seconds} s)',
  },
  nameless: {
    en: 'the service took the invoice and did not say which one it is',
    pt: 'o serviço recebeu a nota e não disse qual é',
  },
  'nameless-product': {
    en: 'the service created the product and did not say which one it is',
    pt: 'o serviço criou o produto e não disse qual é',
  },
  'nameless-event': {
    en: 'the service took the event and did not say which one it is',
    pt: 'o serviço recebeu o evento e não disse qual é',
  },
  'nameless-company': { en: 'the answer names no id', pt: 'a resposta não traz um id' },
  'shown-otherwise': {
    en: 'the service accepted it and does not show it as written',
    pt: 'o serviço aceitou e não mostra como foi gravado',
  },
  'company-otherwise': {
    en: 'a company of this CNPJ is at the service, with other values than those sent',
    pt: 'uma empresa com este CNPJ está no serviço, com valores diferentes dos enviados',
  },
  'another-event': {
    en: 'the service answered with another event than the one asked for',
    pt: 'o serviço respondeu com outro evento, e não com o que foi pedido',
  },
  'another-invoice': {
    en: 'the service answered with another invoice than the one asked for',
    pt: 'o serviço respondeu com outra nota, e não com a que foi pedida',
  },
  'another-product': {
    en: 'the service answered with a product of another SKU than the one that was sent',
    pt: 'o serviço respondeu com um produto de outro SKU, e não com o que foi enviado',
  },
  'content-before': {
    en: 'the service still shows the content from before the update',
    pt: 'o serviço ainda mostra o conteúdo anterior à atualização',
  },
  'content-not-shown': {
    en: 'the service shows nothing of the content that was sent, so its status may be of the content before',
    pt: 'o serviço não mostra nada do conteúdo enviado, e o status pode ser do conteúdo anterior',
  },
  'third-content': {
    en: 'the service shows neither what was sent nor what was there before, so somebody may have changed it meanwhile',
    pt: 'o serviço não mostra nem o que foi enviado nem o que havia antes; alguém pode ter alterado nesse meio-tempo',
  },
  'another-subject': {
    en: 'the service answered about something else than what was asked for',
    pt: 'o serviço respondeu sobre outra coisa, e não sobre o que foi pedido',
  },
  absent: {
    en: 'nothing of it is found at the service, and that does not prove that it never arrived ({looks} looks over {seconds} s)',
    pt: 'nada dela foi encontrado no serviço, e isso não prova que ela nunca chegou ({looks} consultas em {seconds} s)',
  },
  'other-environment': {
    en: 'the service shows it in another environment than the one that was asked for',
    pt: 'o serviço a mostra em outro ambiente, e não no que foi pedido',
  },
  'server-changed': {
    en: 'the server of the store failed over or was restored, and its last rows may be missing: whether this was sent is unknown',
    pt: 'o servidor do estado passou para uma réplica ou foi restaurado, e as últimas linhas podem faltar: não se sabe se isto foi enviado',
  },
  'store-went-back': {
    en: 'the store was put back to an earlier state, which lacks sends of this machine: whether this was sent is unknown',
    pt: 'o estado voltou a uma situação anterior, em que faltam envios desta máquina: não se sabe se isto foi enviado',
  },
  'several-alike': {
    en: 'the service has an invoice that may be this one, and nothing that it shows tells for sure',
    pt: 'o serviço tem uma nota que pode ser esta, e nada do que ele mostra permite ter certeza',
  },
  'other-content-there': { en: 'its content differs from ours', pt: 'o conteúdo dela é diferente do nosso' },
  'content-unseen': {
    en: 'the service does not show enough of it to compare it with ours',
    pt: 'o serviço não mostra o bastante dela para compará-la com a nossa',
  },
  'registration-unseen': {
    en: 'the service does not show enough of a registration to compare it with this one',
    pt: 'o serviço não mostra o bastante de uma inscrição para compará-la com esta',
  },
  'several-there': {
    en: 'the service shows several invoices of its externalId, or one without an id',
    pt: 'o serviço mostra várias notas com o externalId dela, ou uma sem id',
  },
  voided: {
    en: 'the order has this invoice at the service already, and it is no longer valid',
    pt: 'o pedido já tem esta nota no serviço, e ela não é mais válida',
  },
  'issued-number': {
    en: 'the invoice was issued; only the number of a failed one can be disabled',
    pt: 'a nota foi emitida; só se inutiliza o número de uma nota que falhou',
  },
  'exists-unread': {
    en: 'the service has it already (409), and how it ended cannot be read',
    pt: 'o serviço já a tem (409), e não é possível ler como ela terminou',
  },
  'conflict-unread': {
    en: 'the service has it already, or refuses it for another reason (409), and how it ended cannot be read; it says: {words}',
    pt: 'o serviço já a tem, ou a recusa por outro motivo (409), e não é possível ler como ela terminou; ele diz: {words}',
  },
  'updated-before-read': {
    en: 'the product was updated before the result of its validation was read',
    pt: 'o produto foi alterado antes da leitura do resultado da validação',
  },
  'no-xml-yet': {
    en: 'the service has no XML yet (HTTP {status}); the next sync asks again',
    pt: 'o serviço ainda não tem o XML (HTTP {status}); a próxima sincronização pergunta de novo',
  },
  'not-final': {
    en: 'the invoice is not final yet: it is still being issued, or its state is not known here',
    pt: 'a nota ainda não tem situação final: está em emissão, ou a situação não é conhecida aqui',
  },
  'never-issued': {
    en: 'it was never issued, so it has no document',
    pt: 'não chegou a ser emitida, por isso não tem documento',
  },
  'no-event-file': { en: 'the service gives no XML of this event', pt: 'o serviço não oferece o XML deste evento' },
  'no-pdf-yet': { en: 'the service is still making the PDF', pt: 'o serviço ainda está gerando o PDF' },
  'same-key': {
    en: 'another invoice of the list has its access key, so nothing was requested',
    pt: 'outra nota da lista tem a chave de acesso dela, por isso nada foi pedido',
  },
  'key-not-valid': {
    en: 'its access key is not valid, so nothing was requested',
    pt: 'sua chave de acesso não é válida, então nada foi pedido',
  },
  'released-meanwhile': {
    en: 'another request asked to release meanwhile',
    pt: 'outro pedido solicitou a liberação nesse meio-tempo',
  },
  'revoked-meanwhile': {
    en: 'another request asked to revoke meanwhile',
    pt: 'outro pedido solicitou a revogação nesse meio-tempo',
  },
  'target-fault': { en: '{fault}', pt: '{fault}' },
  'target-status': { en: 'HTTP {status}', pt: 'HTTP {status}' },
  'target-not-started': { en: 'not started', pt: 'não foi iniciado' },
  'target-redirect': { en: 'redirect, HTTP {status}', pt: 'redirecionamento, HTTP {status}' },
  'target-exit': { en: 'exit code {exitCode}', pt: 'código de saída {exitCode}' },
  'target-signal': { en: 'ended by {signal}', pt: 'encerrado por {signal}' },
  'target-slow': { en: 'no end within {seconds} s', pt: 'não terminou em {seconds} s' },
  'target-aborted': { en: 'aborted', pt: 'interrompido' },
} as const satisfies Readonly<Record<string, Text>>;

type RowReasons = typeof rowReasons;

type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type CodedReason = {
  readonly [Code in keyof RowReasons]: { readonly is: Code } & {
    readonly [Name in NamesIn<RowReasons[Code]['en']>]: string | number;
  };
}[keyof RowReasons];

/** Why a row is as it is, as data. The sentence is made of it where it is shown (`reasonWords`). */
export type Reason =
  /** `about`: what it is about, such as names of fields. */
  | (CodedReason & { readonly about?: readonly string[] })
  /** The words of the service or of the authority, as they came. */
  | { readonly is: 'said'; readonly words: string }
  /** An error of this program. */
  | { readonly is: 'error'; readonly code: ErrorCode; readonly values: TextValues }
  /** The file is not what it should be. `code`: as its inspection names it. */
  | { readonly is: 'unusable-file'; readonly code: string; readonly words: Text };

export function said(words: string): Reason {
  return { is: 'said', words };
}

/** The error with the values that its text has. */
export function reasonOfError({ code, values }: FiscalError): Reason {
  const names = namesIn(errorCatalogue()[code].en);
  const named = names.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[name, typeof value === 'string' ? bounded(value) : value] as const];
  });
  return { is: 'error', code, values: Object.fromEntries(named) };
}

/** Whether the value is a reason, with the values that its sentence needs. */
export function isReason(value: unknown): value is Reason {
  if (!isObject(value)) return false;
  const { is, code, values, about = [], words } = value;
  if (is === 'said') return typeof words === 'string';
  if (is === 'unusable-file') return typeof code === 'string' && isText(words);
  if (is === 'error') {
    const isCode = typeof code === 'string' && Object.hasOwn(errorCatalogue(), code);
    return isCode && isObject(values) && Object.values(values).every((each) => isPlain(each) || isText(each));
  }
  if (typeof is !== 'string' || !Object.hasOwn(rowReasons, is)) return false;
  // `hasOwn` has found the code.
  const names = namesIn(rowReasons[is as keyof RowReasons].en);
  return Array.isArray(about) && about.every(isPlain) && names.every((name) => isPlain(value[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isText(value: unknown): value is Text {
  return isObject(value) && typeof value['en'] === 'string' && typeof value['pt'] === 'string';
}

/** Why a person is asked about an absent resource, with the evidence: the number of looks and the seconds they span. */
export function absenceReason(
  because: 'billed' | 'taken' | 'absent',
  { looks, seconds }: { readonly looks: number; readonly seconds: number },
): Reason {
  const codes = { billed: 'perhaps-billed', taken: 'taken-and-gone', absent: 'absent' } as const;
  return { is: codes[because], looks, seconds };
}

/** Why an item waits, or failed, whose resource a 409 neither names nor shows: with the words of the service, if any. */
export function conflictReason(words: string | undefined): Reason {
  return words === undefined ? { is: 'exists-unread' } : { is: 'conflict-unread', words };
}

/** The reason behind the code that the service or the authority gave, if it gave one. */
export function codedReason(code: string | undefined, reason: Reason | undefined): Text {
  const words = reason && reasonWords(reason);
  // Our own code says only that it ended badly.
  if (code === undefined || code === 'outcome.ended_badly') return words ?? reasons.noReasonGiven;
  if (words?.en.includes(code) === true) return words;
  return words === undefined ? { en: code, pt: code } : { en: `${code}: ${words.en}`, pt: `${code}: ${words.pt}` };
}

/** The reason as a sentence. */
export function reasonWords(reason: Reason): Text {
  switch (reason.is) {
    case 'said':
      return { en: reason.words, pt: reason.words };
    case 'error':
      return filled(errorCatalogue()[reason.code], reason.values);
    case 'unusable-file':
      return reason.words;
    default: {
      const { is, about = [], ...values } = reason;
      const { en, pt } = filled(rowReasons[is], values);
      const names = about.length === 0 ? '' : `: ${about.join(', ')}`;
      return { en: `${en}${names}`, pt: `${pt}${names}` };
    }
  }
}

/** Why something is as it is that no row keeps. The names in braces are filled in. */
export const reasons = {
  // Steps of a file of clients that differ and are not sent.
  createdNotShown: {
    en: 'this machine created it a moment ago, and the service does not show it yet: run the command again later',
    pt: 'esta máquina acabou de criá-lo, e o serviço ainda não o mostra: execute o comando de novo mais tarde',
  },
  webhookNeedsSecret: {
    en: 'a webhook is sent with its secret: name the file with it in secretFile',
    pt: 'um webhook é enviado com o seu segredo: indique o arquivo com ele em secretFile',
  },
  mayLoseSecret: {
    en: 'the service does not show the CSC or the credentials, and an update of the whole could drop them: change it with company registration update, which sets them again',
    pt: 'o serviço não mostra o CSC ou as credenciais, e uma alteração do todo poderia apagá-los: altere com company registration update, que os grava de novo',
  },
  shownWithoutId: { en: 'the service shows it without an id', pt: 'o serviço o mostra sem um id' },
  certificateWithoutPfx: {
    en: 'the service does not have this certificate, and no PFX file of it is given: --certificates',
    pt: 'o serviço não tem este certificado, e nenhum arquivo PFX dele foi informado: --certificates',
  },
  certificateOutOfUse: {
    en: 'the service has this certificate and does not use it, and no PFX file of it is given to send it again: --certificates',
    pt: 'o serviço tem este certificado e não o usa, e nenhum arquivo PFX dele foi informado para enviá-lo de novo: --certificates',
  },
  certificatePending: {
    en: 'the service has this certificate and does not use it yet (pending): see certificate list',
    pt: 'o serviço tem este certificado e ainda não o usa (pendente): veja certificate list',
  },
  captureNotActive: {
    en: 'the capture is registered and not active: see inbound capture show; for NFS-e it is resumed by inbound capture reactivate',
    pt: 'a captura está registrada e não está ativa: veja inbound capture show; para NFS-e, ela é retomada por inbound capture reactivate',
  },
  severalCompanies: {
    en: 'the account has several companies of this CNPJ: {ids}',
    pt: 'a conta tem várias empresas com este CNPJ: {ids}',
  },
  severalWebhooks: {
    en: 'the account has several webhooks with the address {uri}',
    pt: 'a conta tem vários webhooks com o endereço {uri}',
  },
  perhapsCreated: {
    en: 'an earlier run may have created it: see fiscal job items {job}',
    pt: 'uma execução anterior pode tê-lo criado: veja fiscal job items {job}',
  },
  namedByNothing: {
    en: 'its published body has no externalId, and this one has no order number',
    pt: 'esta NF-e não tem número de pedido; não dá para saber se outra máquina já a emitiu',
  },
  // Items that repeat another one.
  repeatsOpen: {
    en: '{label} is an item of job {job}, which has not ended; fiscal job resume {job}',
    pt: '{label} é um item do lote {job}, que não terminou; fiscal job resume {job}',
  },
  repeatsPending: {
    en: 'its item of job {job} has not ended; fiscal job resume {job} --wait',
    pt: 'o item do lote {job} que ele repete não terminou; fiscal job resume {job} --wait',
  },
  repeatsUncertain: {
    en: 'whether the item of job {job} arrived is unknown; fiscal job resolve {id}',
    pt: 'não se sabe se o item do lote {job} chegou; fiscal job resolve {id}',
  },
  repeatsRejected: {
    en: 'its item of job {job} is rejected; fiscal job items {job} --state rejected',
    pt: 'o item do lote {job} que ele repete foi rejeitado; fiscal job items {job} --state rejected',
  },
  repeatsFailed: {
    en: 'its item of job {job} is failed; fiscal job items {job} --state failed',
    pt: 'o item do lote {job} que ele repete falhou; fiscal job items {job} --state failed',
  },
  repeatsCancelled: {
    en: 'its item of job {job} is cancelled; fiscal job items {job} --state cancelled',
    pt: 'o item do lote {job} que ele repete foi cancelado; fiscal job items {job} --state cancelled',
  },
  otherEventContent: {
    en: 'the same event was already submitted with other content; this one is not sent',
    pt: 'o mesmo evento já foi enviado com outro conteúdo; este não é enviado',
  },
  eventOfOtherCompany: {
    en: 'the same event was submitted for another company; this one is not sent',
    pt: 'o mesmo evento foi enviado por outra empresa; este não é enviado',
  },
  eventOfOtherCompanyFirst: {
    en: 'an item of the same event for another company comes first and has not been sent; the same command continues both',
    pt: 'um item do mesmo evento por outra empresa vem antes e não foi enviado; o mesmo comando continua os dois',
  },
  answeredAsThisCompany: {
    en: 'the service answered the same event, sent for another company, as one of this company: fiscal job show {job}',
    pt: 'o serviço respondeu ao mesmo evento, enviado por outra empresa, como se fosse desta: fiscal job show {job}',
  },
  otherInvoiceContent: {
    en: 'the externalId was used before with other content; another invoice needs another externalId',
    pt: 'o externalId já foi usado com outro conteúdo; outra nota precisa de outro externalId',
  },
  bringToFile: {
    en: 'update it from the file: fiscal product apply <file>',
    pt: 'atualize a partir do arquivo: fiscal product apply <arquivo>',
  },
  otherSkuInList: { en: 'the list says {sku}', pt: 'a lista diz {sku}' },
  noReasonGiven: { en: 'no reason was given', pt: 'nenhum motivo foi informado' },
  productNamed: { en: 'product {id}', pt: 'o produto {id}' },
  aCompany: { en: 'company', pt: 'a empresa' },
  aTenant: { en: 'tenant', pt: 'o tenant' },
  // Documents and events to archive.
  notTriedYet: { en: 'not tried yet', pt: 'ainda não tentado' },
  // Plans.
  documentNotKnown: {
    en: 'this machine does not know the document: give the --input of the plan',
    pt: 'o documento não é conhecido aqui: informe o --input usado no plano',
  },
  documentChanged: {
    en: 'the document or its events changed since the plan was made',
    pt: 'o documento ou seus eventos mudaram desde que o plano foi feito',
  },
  billedHistory: {
    en: '{count} hidden NFS-e, billed as history when captured',
    pt: '{count} NFS-e ocultas, cobradas como histórico na captura',
  },
  hidesListed: {
    en: '{count} listed NFS-e that were issued before it would be hidden',
    pt: '{count} NFS-e listadas, emitidas antes dela, ficariam ocultas',
  },
  showsHidden: {
    en: 'of the {count} hidden NFS-e, those issued since then would be listed (the number is unknown)',
    pt: 'das {count} NFS-e ocultas, as emitidas desde então passariam a ser listadas (não se sabe quantas)',
  },
  releaseInForce: {
    en: 'a release is in force, so nothing is hidden or shown until it is revoked',
    pt: 'há uma liberação em vigor, então nada é ocultado nem mostrado até que ela seja revogada',
  },
  sameCutOff: { en: 'the cut-off is already that date', pt: 'a data de corte já é essa' },
  effectUnknown: { en: 'the effect is unknown', pt: 'o efeito não é conhecido' },
  noCapture: { en: 'no NFS-e capture (404)', pt: 'sem captura de NFS-e (404)' },
  noManagementRole: { en: 'the key lacks the role Management (403)', pt: 'falta à chave o papel Management (403)' },
  roleUnknown: {
    en: 'it is unknown whether the key has the role Management',
    pt: 'não se sabe se a chave tem o papel Management',
  },
} as const satisfies Readonly<Record<string, Text>>;
