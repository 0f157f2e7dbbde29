// @ts-check
// In place of the packages behind three options of got that fiscal never sets: `cache`, `dnsCache` and `http2`.

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
