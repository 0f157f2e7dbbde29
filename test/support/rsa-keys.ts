import crypto, { type KeyPairKeyObjectResult, type RSAKeyPairKeyObjectOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** So many pairs in a row differ; then the first one comes again. */
const PAIRS = 4;

const { generateKeyPairSync } = crypto;
const pairs: KeyPairKeyObjectResult[] = [];
let made = 0;

/** Certificates of the tests and of the sandbox share a few keys in each worker: to make one costs more than most tests. */
function sharedKeyPair(type: 'rsa', options: RSAKeyPairKeyObjectOptions): KeyPairKeyObjectResult {
  if (type !== 'rsa' || options.modulusLength !== 2048) throw new Error('only RSA keys of 2048 bits are shared');
  const index = made % PAIRS;
  made += 1;
  return (pairs[index] ??= generateKeyPairSync(type, options));
}

Object.assign(crypto, { generateKeyPairSync: sharedKeyPair });
syncBuiltinESMExports();
