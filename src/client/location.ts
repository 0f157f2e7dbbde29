/**
 * The `Location` of an answer as an absolute address. Some deployments behind a gateway write http://
 * for an address that they only serve over https: on a host known to be https it is read as https.
 */
export function readLocation(
  header: string | undefined,
  requestUrl: URL,
  knownHosts: readonly URL[],
): string | undefined {
  if (header === undefined || !URL.canParse(header, requestUrl.href)) return undefined;
  const url = new URL(header, requestUrl);
  if (url.protocol !== 'http:') return url.href;
  const isKnown = knownHosts.some((host) => host.protocol === 'https:' && host.hostname === url.hostname);
  if (!isKnown) return url.href;
  // A port of plain http (80 or none) has no meaning under https.
  return `https://${url.hostname}${url.port === '' ? '' : `:${url.port}`}${url.pathname}${url.search}${url.hash}`;
}
