/** `copy`: a genuine one that is sent twice. `forged`: somebody else pretends to be the service. */
export type DeliveryKind = 'genuine' | 'copy' | 'forged';

/** `failed`: given up. `dropped`: its webhook is gone. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'dropped';

/** What is to be sent, or was. Times are milliseconds since the epoch, of the service's clock. */
export interface StoredDelivery {
  readonly position: number;
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly tenantId: string;
  /** Null: the address that a company gave, without a webhook. */
  readonly webhookId: string | null;
  readonly uri: string;
  readonly event: string;
  /** Id of what the event is about. */
  readonly resource: string;
  /** As it goes on the wire. */
  readonly body: string;
  /** The captured document whose `webhookStatus` tells of this delivery. */
  readonly documentId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly dueAt: number;
  /** Of the last answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly createdOn: number;
  readonly endedOn: number | null;
}

export type NewDelivery = Omit<
  StoredDelivery,
  'position' | 'state' | 'attempts' | 'status' | 'error' | 'endedOn'
>;

/** How an attempt ended. */
export type AttemptEnd = Pick<
  StoredDelivery,
  'position' | 'id' | 'state' | 'attempts' | 'dueAt' | 'status' | 'error' | 'endedOn'
>;

/** How the genuine deliveries of one document stand. */
export interface DocumentDeliveries {
  readonly waiting: number;
  readonly retrying: number;
  readonly delivered: number;
  readonly failed: number;
}

/** Named as a delivery names them, so that a row is what is stored. */
export const deliveryColumns = `position, id, kind, tenant_id AS tenantId, webhook_id AS webhookId, uri, event, resource,
  body, document_id AS documentId, state, attempts, due_at AS dueAt, status, error, created_on AS createdOn,
  ended_on AS endedOn`;
