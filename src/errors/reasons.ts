import type { Text } from '../contract/text.js';
import { filled } from './text-template.js';

/**
 * Why a row is as it is. Rows store the English text, and `known-text.ts` finds the Portuguese one again; the names in braces
 * are filled in.
 */
export const reasons = {
  // Items that wait for a person, where no response explains it.
  heldUp: { en: 'held up before it was sent', pt: 'ficou retido antes do envio' },
  perhapsBilled: {
    en: 'nothing of it is found at the service, but the send may have been billed',
    pt: 'nada dela foi encontrado no serviço, mas o envio pode ter sido cobrado',
  },
  takenAndGone: {
    en: 'the service took it, and nothing of it is found there',
    pt: 'o serviço a recebeu, e nada dela é encontrado lá',
  },
  nameless: {
    en: 'the service took the invoice and did not say which one it is',
    pt: 'o serviço recebeu a nota e não disse qual é',
  },
  namelessProduct: {
    en: 'the service created the product and did not say which one it is',
    pt: 'o serviço criou o produto e não disse qual é',
  },
  namelessEvent: {
    en: 'the service took the event and did not say which one it is',
    pt: 'o serviço recebeu o evento e não disse qual é',
  },
  namelessCompany: { en: 'the answer names no id', pt: 'a resposta não traz um id' },
  shownOtherwise: {
    en: 'the service accepted it and does not show it as written',
    pt: 'o serviço aceitou e não mostra como foi gravado',
  },
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
  companyOtherwise: {
    en: 'a company of this CNPJ is at the service, with other values than those sent',
    pt: 'uma empresa com este CNPJ está no serviço, com valores diferentes dos enviados',
  },
  anotherEvent: {
    en: 'the service answered with another event than the one asked for',
    pt: 'o serviço respondeu com outro evento, e não com o que foi pedido',
  },
  anotherInvoice: {
    en: 'the service answered with another invoice than the one asked for',
    pt: 'o serviço respondeu com outra nota, e não com a que foi pedida',
  },
  anotherProduct: {
    en: 'the service answered with a product of another SKU than the one that was sent',
    pt: 'o serviço respondeu com um produto de outro SKU, e não com o que foi enviado',
  },
  contentBefore: {
    en: 'the service still shows the content from before the update',
    pt: 'o serviço ainda mostra o conteúdo anterior à atualização',
  },
  contentNotShown: {
    en: 'the service shows nothing of the content that was sent, so its status may be of the content before',
    pt: 'o serviço não mostra nada do conteúdo enviado, e o status pode ser do conteúdo anterior',
  },
  anotherSubject: {
    en: 'the service answered about something else than what was asked for',
    pt: 'o serviço respondeu sobre outra coisa, e não sobre o que foi pedido',
  },
  absent: {
    en: 'nothing of it is found at the service, and that does not prove that it never arrived',
    pt: 'nada dela foi encontrado no serviço, e isso não prova que ela nunca chegou',
  },
  namedByNothing: {
    en: 'its published body has no externalId, and this one has no order number',
    pt: 'esta NF-e não tem número de pedido; não dá para saber se outra máquina já a emitiu',
  },
  otherEnvironment: {
    en: 'the service shows it in another environment than the one that was asked for',
    pt: 'o serviço a mostra em outro ambiente, e não no que foi pedido',
  },
  serverChanged: {
    en: 'the server of the store failed over or was restored, and its last rows may be missing: whether this was sent is unknown',
    pt: 'o servidor do estado passou para uma réplica ou foi restaurado, e as últimas linhas podem faltar: não se sabe se isto foi enviado',
  },
  storeWentBack: {
    en: 'the store was put back to an earlier state, which lacks sends of this machine: whether this was sent is unknown',
    pt: 'o estado voltou a uma situação anterior, em que faltam envios desta máquina: não se sabe se isto foi enviado',
  },
  severalAlike: {
    en: 'the service has an invoice that may be this one, and nothing that it shows tells for sure',
    pt: 'o serviço tem uma nota que pode ser esta, e nada do que ele mostra permite ter certeza',
  },
  otherContentThere: { en: 'its content differs from ours', pt: 'o conteúdo dela é diferente do nosso' },
  contentUnseen: {
    en: 'the service does not show enough of it to compare it with ours',
    pt: 'o serviço não mostra o bastante dela para compará-la com a nossa',
  },
  registrationUnseen: {
    en: 'the service does not show enough of a registration to compare it with this one',
    pt: 'o serviço não mostra o bastante de uma inscrição para compará-la com esta',
  },
  severalThere: {
    en: 'the service shows several invoices of its externalId, or one without an id',
    pt: 'o serviço mostra várias notas com o externalId dela, ou uma sem id',
  },
  voided: {
    en: 'the order has this invoice at the service already, and it is no longer valid',
    pt: 'o pedido já tem esta nota no serviço, e ela não é mais válida',
  },
  issuedNumber: {
    en: 'the invoice was issued; only the number of a failed one can be disabled',
    pt: 'a nota foi emitida; só se inutiliza o número de uma nota que falhou',
  },
  existsUnread: {
    en: 'the service has it already (409), and how it ended cannot be read',
    pt: 'o serviço já a tem (409), e não é possível ler como ela terminou',
  },
  conflictUnread: {
    en: 'the service has it already, or refuses it for another reason (409), and how it ended cannot be read; it says: {words}',
    pt: 'o serviço já a tem, ou a recusa por outro motivo (409), e não é possível ler como ela terminou; ele diz: {words}',
  },
  lookedFor: { en: '{looks} looks over {seconds} s', pt: '{looks} consultas em {seconds} s' },
  // Items that repeat another one.
  repeatsOpen: {
    en: '{label} is an item of job {job}, which has not ended',
    pt: '{label} é um item do lote {job}, que não terminou',
  },
  repeatsPending: { en: 'its item of job {job} has not ended', pt: 'o item do lote {job} que ele repete não terminou' },
  repeatsUncertain: {
    en: 'whether the item of job {job} arrived is unknown',
    pt: 'não se sabe se o item do lote {job} chegou',
  },
  repeatsRejected: { en: 'its item of job {job} is rejected', pt: 'o item do lote {job} que ele repete foi rejeitado' },
  repeatsFailed: { en: 'its item of job {job} is failed', pt: 'o item do lote {job} que ele repete falhou' },
  repeatsCancelled: {
    en: 'its item of job {job} is cancelled',
    pt: 'o item do lote {job} que ele repete foi cancelado',
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
    en: 'the service answered the same event, sent for another company, as one of this company',
    pt: 'o serviço respondeu ao mesmo evento, enviado por outra empresa, como se fosse desta',
  },
  otherInvoiceContent: {
    en: 'the externalId was used before with other content; another invoice needs another externalId',
    pt: 'o externalId já foi usado com outro conteúdo; outra nota precisa de outro externalId',
  },
  bringToFile: { en: 'update it from the file', pt: 'atualize a partir do arquivo' },
  updatedBeforeRead: {
    en: 'the product was updated before the result of its validation was read',
    pt: 'o produto foi alterado antes da leitura do resultado da validação',
  },
  otherSkuInList: { en: 'the list says {sku}', pt: 'a lista diz {sku}' },
  noReasonGiven: { en: 'no reason was given', pt: 'nenhum motivo foi informado' },
  productNamed: { en: 'product {id}', pt: 'o produto {id}' },
  aCompany: { en: 'company', pt: 'a empresa' },
  aTenant: { en: 'tenant', pt: 'o tenant' },
  // Documents and events to archive.
  notTriedYet: { en: 'not tried yet', pt: 'ainda não tentado' },
  noXmlYet: {
    en: 'the service has no XML yet (HTTP {status}); the next sync asks again',
    pt: 'o serviço ainda não tem o XML (HTTP {status}); a próxima sincronização pergunta de novo',
  },
  notFinal: {
    en: 'the invoice is not final yet: it is still being issued, or its state is not known here',
    pt: 'a nota ainda não tem situação final: está em emissão, ou a situação não é conhecida aqui',
  },
  neverIssued: {
    en: 'it was never issued, so it has no document',
    pt: 'não chegou a ser emitida, por isso não tem documento',
  },
  noEventFile: { en: 'the service gives no XML of this event', pt: 'o serviço não oferece o XML deste evento' },
  noPdfYet: { en: 'the service is still making the PDF', pt: 'o serviço ainda está gerando o PDF' },
  sameKey: {
    en: 'another invoice of the list has its access key, so nothing was requested',
    pt: 'outra nota da lista tem a chave de acesso dela, por isso nada foi pedido',
  },
  keyNotValid: {
    en: 'its access key is not valid, so nothing was requested',
    pt: 'sua chave de acesso não é válida, então nada foi pedido',
  },
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
  releasedMeanwhile: {
    en: 'another request asked to release meanwhile',
    pt: 'outro pedido solicitou a liberação nesse meio-tempo',
  },
  revokedMeanwhile: {
    en: 'another request asked to revoke meanwhile',
    pt: 'outro pedido solicitou a revogação nesse meio-tempo',
  },
  // Deliveries to a target.
  targetRedirect: { en: 'redirect, HTTP {status}', pt: 'redirecionamento, HTTP {status}' },
  targetExit: { en: 'exit code {code}', pt: 'código de saída {code}' },
  targetSignal: { en: 'ended by {signal}', pt: 'encerrado por {signal}' },
  targetSlow: { en: 'no end within {seconds} s', pt: 'não terminou em {seconds} s' },
  targetAborted: { en: 'aborted', pt: 'interrompido' },
} as const satisfies Readonly<Record<string, Text>>;

const absences = { billed: 'perhapsBilled', taken: 'takenAndGone', absent: 'absent' } as const;

/**
 * Why a person is asked about an absent resource, with the evidence: the number of lookups and the seconds they span.
 */
export function absenceReason(
  because: keyof typeof absences,
  { looks, seconds }: { readonly looks: number; readonly seconds: number },
): Text {
  const reason = reasons[absences[because]];
  const evidence = filled(reasons.lookedFor, { looks, seconds });
  return { en: `${reason.en} (${evidence.en})`, pt: `${reason.pt} (${evidence.pt})` };
}

/** A reason with what it is about, such as names of fields, if anything. */
export function reasonAbout(reason: Text, things: readonly string[]): Text {
  if (things.length === 0) return reason;
  const names = things.join(', ');
  return { en: `${reason.en}: ${names}`, pt: `${reason.pt}: ${names}` };
}

/** Why an item waits, or failed, whose resource a 409 neither names nor shows: with the words of the service, if any. */
export function conflictReason(words: string | undefined): Text {
  return words === undefined ? reasons.existsUnread : filled(reasons.conflictUnread, { words });
}
