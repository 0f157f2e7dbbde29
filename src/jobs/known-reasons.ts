import type { Text } from '../contract/text.js';
import type { FiscalError } from '../errors/fiscal-error.js';

/** Why an item waits for a person, where no response explains it. Rows store the English text. */
export const reasons = {
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
  namelessCompany: {
    en: 'the answer names no id',
    pt: 'a resposta não traz um id',
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
    pt: 'o corpo publicado dela não tem externalId, e esta não tem número de pedido',
  },
  otherEnvironment: {
    en: 'the service shows it in another environment than the one that was asked for',
    pt: 'o serviço a mostra em outro ambiente, e não no que foi pedido',
  },
  severalAlike: {
    en: 'the service has an invoice that may be this one, and nothing that it shows tells for sure',
    pt: 'o serviço tem uma nota que pode ser esta, e nada do que ele mostra permite ter certeza',
  },
  otherContentThere: {
    en: 'its content differs from ours',
    pt: 'o conteúdo dela é diferente do nosso',
  },
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
    en: 'the service has it already, or refuses it for another reason (409), and how it ended cannot be read; it says',
    pt: 'o serviço já a tem, ou a recusa por outro motivo (409), e não é possível ler como ela terminou; ele diz',
  },
} as const satisfies Readonly<Record<string, Text>>;

const absences = { billed: 'perhapsBilled', taken: 'takenAndGone', absent: 'absent' } as const;

/**
 * Why a person is asked about an absent resource, with the evidence: the number of lookups and the seconds they span.
 */
export function absenceReason(
  because: keyof typeof absences,
  { looks, seconds }: { readonly looks: number; readonly seconds: number },
): string {
  return `${reasons[absences[because]].en} (${looks} looks over ${seconds} s)`;
}

const evidence = / \((\d+) looks over (\d+) s\)$/;

/** A reason with what it is about, such as names of fields. */
export function reasonAbout(reason: Text, things: readonly string[]): string {
  return `${reason.en}: ${things.join(', ')}`;
}

/** The ids in a stored reason of an unclear look-up. */
export function candidatesIn(message: string | undefined): readonly string[] {
  const start = `${reasons.severalAlike.en}: `;
  return message?.startsWith(start) === true ? message.slice(start.length).split(', ') : [];
}

/** Why an item waits, or failed, whose resource a 409 neither names nor shows: with the words of the service, if any. */
export function conflictReason({ code, text }: FiscalError): string {
  const words = code === 'service.conflict' ? text.en.replace(/^conflict \(HTTP 409\): /, '') : '';
  return /\p{L}/u.test(words) ? reasonAbout(reasons.conflictUnread, [words]) : reasons.existsUnread.en;
}

/** True for a reason of `conflictReason`. */
export function isConflictReason(message: string): boolean {
  const { existsUnread, conflictUnread } = reasons;
  return message === existsUnread.en || message.startsWith(`${conflictUnread.en}: `);
}

/** The stored reason in both languages, when it is one of this program's own. */
export function reasonText(message: string): string | Text {
  const [shown = '', looks, seconds] = evidence.exec(message) ?? [];
  const plain = message.slice(0, message.length - shown.length);
  const known = Object.values(reasons).find(({ en }) => en === plain || plain.startsWith(`${en}: `));
  if (known === undefined) return message;
  if (known.en !== plain) return { en: message, pt: `${known.pt}${message.slice(known.en.length)}` };
  const counted = looks === undefined ? '' : ` (${looks} consultas em ${seconds} s)`;
  return { en: message, pt: `${known.pt}${counted}` };
}
