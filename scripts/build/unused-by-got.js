// @ts-check
// In place of the packages behind three options of got that fiscal never sets: `cache`, `dnsCache` and `http2`; and of its
// messages to `node:diagnostics_channel`, which nobody reads, and whose random ids make Node load its cryptography.

export default class Unused {
  constructor() {
    throw unused();
  }

  static get auto() {
    throw unused();
  }

  static get globalAgent() {
    throw unused();
  }
}

export class CacheError extends Error {}

function unused() {
  return new Error('this build of got has no cache and no HTTP/2 (scripts/build/unused-by-got.js)');
}

export const generateRequestId = () => '';

export {
  publish as publishError,
  publish as publishRedirect,
  publish as publishRequestCreate,
  publish as publishRequestStart,
  publish as publishResponseEnd,
  publish as publishResponseStart,
  publish as publishRetry,
};

function publish() {
  // Nobody reads it.
}
