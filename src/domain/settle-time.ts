/**
 * For how long after a send an empty lookup proves nothing. No documented limit says how late something appears in a list;
 * delays over a minute have been observed, and the authority may register an event later.
 */
export const SETTLE_MS = 10 * 60_000;
