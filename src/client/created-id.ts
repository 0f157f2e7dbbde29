import type { OperationId } from '../contract/operations.js';
import { operations } from '../contract/operations.js';
import { joinAddress } from './address.js';

/** The operations that answer with the address of another place than below their own. */
const readBy: Readonly<Record<string, OperationId>> = {
  'nfe.manifestation.submit': 'nfe.manifestation.get',
  'nfse.manifestation.submit': 'nfse.manifestation.get',
};

interface Request {
  readonly operation: string;
  readonly url: URL;
  readonly path: Readonly<Record<string, string>>;
  /** The base addresses of the profile. */
  readonly hosts: readonly URL[];
  /** The paths that the profile replaces. */
  readonly paths: Readonly<Record<string, string>>;
}

/**
 * The id in a `Location`: the last segment of an address directly below that of the request, or where the operation's
 * resource is read, at a host of the profile. The version in the path may differ. Any other address names nothing.
 */
export function createdId(location: string | undefined, request: Request): string | undefined {
  if (location === undefined) return undefined;
  const { url: asked, hosts } = request;
  const url = new URL(location);
  if (![asked, ...hosts].some(({ hostname }) => hostname === url.hostname)) return undefined;
  const [, folder = '', id] = /^(.*)\/([\w-]{1,100})\/?$/.exec(url.pathname) ?? [];
  return foldersOf(request).some((known) => withoutVersion(known) === withoutVersion(folder))
    ? id
    : undefined;
}

/** With the base path of the host, and without it. */
function foldersOf({ operation, url, path, hosts, paths }: Request): readonly string[] {
  const read = readBy[operation];
  const template = read === undefined ? undefined : (paths[read] ?? operations[read].path);
  const folder = template
    ?.replace(/\/[^/]*$/, '')
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name] ?? ''));
  const places =
    folder === undefined ? [] : [folder, ...hosts.map((host) => joinAddress(host, folder).pathname)];
  const bases = hosts.map(({ pathname }) => pathname.replace(/(?<!\/)\/+$/, ''));
  const own = bases.flatMap((base) =>
    url.pathname.startsWith(`${base}/`) ? [url.pathname.slice(base.length)] : [],
  );
  return [url.pathname, ...own, ...places];
}

function withoutVersion(path: string): string {
  return path
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v\d+(?=\/)/, '')
    .toLowerCase();
}
