import type { SandboxDatabase } from '../core/database.js';

const eventTypes = ['Cancellation', 'CorrectionLetter'] as const;
type IssuedEventType = (typeof eventTypes)[number];

/** An event that the issuer requested after the issue. */
export interface StoredIssuedEvent {
  readonly invoiceId: string;
  /** Position among all events of the invoice, from 1. */
  readonly ordinal: number;
  readonly type: IssuedEventType;
  /** Sequence among the events of its type that the authority may register, from 1. */
  readonly sequence: number;
  readonly reason: string | null;
  readonly status: 'Pending' | 'Accepted' | 'Rejected';
  readonly protocol: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
}

type EventEnding = Pick<StoredIssuedEvent, 'status' | 'protocol' | 'errorCode' | 'errorMessage'>;

export interface IssuedEventStore {
  /** Stores the event as `Pending`, after the others. */
  add(
    event: Pick<StoredIssuedEvent, 'invoiceId' | 'type' | 'sequence' | 'reason' | 'createdAt'>,
  ): StoredIssuedEvent;
  of(invoiceId: string): readonly StoredIssuedEvent[];
  end(invoiceId: string, ordinal: number, ending: EventEnding): void;
}

interface EventRow {
  invoice_id: string;
  ordinal: number;
  type: IssuedEventType;
  sequence: number;
  reason: string | null;
  status: StoredIssuedEvent['status'];
  protocol: string | null;
  error_code: string | null;
  error_message: string | null;
  created_at: number;
}

export function openInvoiceEvents(database: SandboxDatabase): IssuedEventStore {
  const insert = database.prepare<[object], EventRow>(
    `INSERT INTO invoice_events (invoice_id, ordinal, type, sequence, reason, status, created_at)
     SELECT @invoiceId, count(*) + 1, @type, @sequence, @reason, 'Pending', @createdAt FROM invoice_events
     WHERE invoice_id = @invoiceId RETURNING *`,
  );
  const ofInvoice = database.prepare<[string], EventRow>(
    'SELECT * FROM invoice_events WHERE invoice_id = ? ORDER BY ordinal',
  );
  const end = database.prepare(
    `UPDATE invoice_events SET status = @status, protocol = @protocol, error_code = @errorCode,
       error_message = @errorMessage WHERE invoice_id = @invoiceId AND ordinal = @ordinal`,
  );
  return {
    add(event) {
      const row = insert.get(event);
      if (row === undefined) throw new Error('an event of an invoice was not stored');
      return toEvent(row);
    },
    of: (invoiceId) => ofInvoice.all(invoiceId).map(toEvent),
    end: (invoiceId, ordinal, ending) => void end.run({ invoiceId, ordinal, ...ending }),
  };
}

function toEvent(row: EventRow): StoredIssuedEvent {
  return {
    invoiceId: row.invoice_id,
    ordinal: row.ordinal,
    type: row.type,
    sequence: row.sequence,
    reason: row.reason,
    status: row.status,
    protocol: row.protocol,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at,
  };
}
