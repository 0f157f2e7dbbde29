import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { findEvent } from '../../domain/event-codes.js';
import type { Context } from '../../services/context.js';
import { readEventKey } from './event-key.js';
import { readEvent } from './read-event.js';
import { listKnown, type KnownEvent } from '../../services/documents/known-events.js';
import { eventScopeOf } from './company.js';
import { answerHere } from '../../services/documents/event-answers.js';
import { eventText } from './shown.js';

/**
 * The `detail` of 110001 for `--cancels <event>`: its protocol comes from what this machine knows of the accepted event,
 * and is read from the service when no earlier read has shown it. Errors: `usage.invalid_value`, `manifestation.no_protocol`.
 */
export async function cancellationDetail(
  context: Context,
  accessKey: string,
  cancels: string,
): Promise<Readonly<Record<string, unknown>>> {
  const event = findEvent(cancels);
  if (event === undefined) throw unknownEvent(cancels);
  const key = readEventKey(accessKey);
  // The check of the whole submission reports an invalid key.
  if ('problem' in key) return {};
  const { value } = key;
  const known = await newestAccepted(context, value, event.code);
  const protocol = (await answerHere(context, known))?.protocol ?? (await protocolAtService(context, known));
  if (protocol === undefined) throw noProtocol({ accessKey: value, eventCode: event.code, nSequencia: 1 });
  return { tpEventoAut: event.code, nProtEvento: protocol };
}

/** The last accepted one of all sequences. */
async function newestAccepted(
  context: Context,
  accessKey: string,
  eventCode: number,
): Promise<KnownEvent | undefined> {
  const scope = await eventScopeOf(context);
  const known = await listKnown(await context.store(), {
    storeNamespace: scope.storeNamespace,
    companies: [scope.company],
  });
  return known
    .map(({ event }) => event)
    .find(
      (event) => event.accessKey === accessKey && event.eventCode === eventCode && event.id !== undefined,
    );
}

async function protocolAtService(
  context: Context,
  known: KnownEvent | undefined,
): Promise<string | undefined> {
  if (known?.id === undefined) return undefined;
  const { answer } = await readEvent(context, { family: known.family, id: known.id });
  return answer?.protocol;
}

function unknownEvent(value: string): FiscalError {
  const expected = { en: 'an event is expected', pt: 'espera-se um evento' };
  return invalidValue('--cancels', value, expected);
}

function noProtocol(event: Pick<KnownEvent, 'accessKey' | 'eventCode' | 'nSequencia'>): FiscalError {
  return new FiscalError(
    'manifestation.no_protocol',
    { what: eventText(event) },
    {
      sent: 'no',
      hint: {
        en: `give it: --detail '{"tpEventoAut":${event.eventCode},"nProtEvento":"<protocol>"}'`,
        pt: `informe: --detail '{"tpEventoAut":${event.eventCode},"nProtEvento":"<protocolo>"}'`,
      },
    },
  );
}
