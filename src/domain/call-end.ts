/** The end of one call: whether the request was sent, and the HTTP status of its answer. */
export interface CallEnd {
  readonly sent: 'yes' | 'no' | 'unknown';
  /** Absent when no answer came, or none that could be read. */
  readonly status?: number | undefined;
}

/**
 * Whether the effect of a request may exist although no answer proves it: no answer, a 408 or a 5xx, a redirect, or a success
 * that cannot be read. The one place that judges this.
 */
export function isOutcomeUnknown(end: CallEnd): boolean {
  const { sent, status } = end;
  // An earlier attempt may have got no answer, whatever the last one got.
  if (sent === 'unknown') return true;
  if (isRefusedBeforeWork(end)) return false;
  return status === undefined || status < 400 || isOutOfService(status);
}

/** The service, or what stands before it, did not say what became of the request. */
export function isOutOfService(status: number): boolean {
  return status === 408 || status >= 500;
}

/**
 * §8: the service answers 429 before it does any work. A 503 does not say whether the work was done, whatever its
 * headers.
 */
export function isRefusedBeforeWork({ sent, status }: CallEnd): boolean {
  return sent === 'no' || status === 429;
}

/** The service has read the request and does not want it: the same one would be refused again. */
export function isRefused(end: CallEnd): boolean {
  return !isRefusedBeforeWork(end) && !isOutcomeUnknown(end);
}
