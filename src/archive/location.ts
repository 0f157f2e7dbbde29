import { realpath } from 'node:fs/promises';
import { dirname, join, basename, resolve } from 'node:path';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';

/** A bucket of an object store, and where in it the archive is. */
export interface BucketAddress {
  readonly bucket: string;
  /** Without `/` at its ends; empty: the whole bucket. */
  readonly prefix: string;
}

/** Where an archive is, as the store remembers it: a folder, absolute, or the address of a bucket in one form. */
export function archiveLocation(cwd: string, named: string): string {
  return isBucketAddress(named) ? bucketLocation(readBucketAddress(named)) : resolve(cwd, named);
}

/**
 * An archive in a bucket as rows of the store name it: two servers or accounts can have the same address, so its id follows. It
 * stands after `#`, which no address that a person types has.
 */
export function withIdentity(location: string, id: string | undefined): string {
  return id === undefined ? location : `${location}#${id}`;
}

/** The address alone, for people and for commands. */
export function withoutIdentity(location: string): string {
  const [address = ''] = location.split('#', 1);
  return isBucketAddress(location) ? address : location;
}

/** The same place without symbolic links; what does not exist yet is below its folder. */
export async function realLocation(location: string): Promise<string> {
  if (isBucketAddress(location) || location === dirname(location)) return location;
  return await realpath(location).catch(async () => join(await realLocation(dirname(location)), basename(location)));
}

export function isBucketAddress(text: string): boolean {
  return /^s3:/i.test(text);
}

/** Error: `archive.unusable_address`. A text with a key in it is not shown. */
export function readBucketAddress(text: string): BucketAddress {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(\/.*)?$/is.exec(text) ?? [];
  if (/[@:?#]/.test(bucket)) throw unusable('s3://…', onlyBucket);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw unusable(text, notBucket);
  const prefix = rest.replace(/^\//, '').replace(/\/$/, '');
  if (prefix !== '' && !prefix.split('/').every(isPrefixPart)) throw unusable(text, notPrefix);
  return { bucket, prefix };
}

export function bucketLocation({ bucket, prefix }: BucketAddress): string {
  return prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}

function isPrefixPart(part: string): boolean {
  return /^[\w.@=+-]{1,200}$/.test(part) && part !== '.' && part !== '..';
}

function unusable(address: string, reason: Text): FiscalError {
  return new FiscalError('archive.unusable_address', { path: address, reason }, { sent: 'no' });
}

const onlyBucket: Text = {
  en: 'after s3:// the name of a bucket is expected; keys belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and a server in AWS_ENDPOINT_URL',
  pt: 'depois de s3:// espera-se o nome de um bucket; as chaves vão em AWS_ACCESS_KEY_ID e AWS_SECRET_ACCESS_KEY, e o servidor em AWS_ENDPOINT_URL',
};

const notBucket: Text = {
  en: 's3://bucket or s3://bucket/prefix is expected, the bucket with 3 to 63 lower-case letters, digits, dots and dashes',
  pt: 'espera-se s3://bucket ou s3://bucket/prefixo, o bucket com 3 a 63 letras minúsculas, dígitos, pontos e hífens',
};

const notPrefix: Text = {
  en: 'the prefix is made of parts with letters, digits and . _ - = + @, joined by /',
  pt: 'o prefixo tem partes com letras, dígitos e . _ - = + @, unidas por /',
};
