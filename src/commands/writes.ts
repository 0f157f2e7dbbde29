/**
 * The commands that exist to change something at the service. What they read before is no send: an error of that reading
 * says that nothing was sent.
 */
export const writes: ReadonlySet<string> = new Set([
  ...each('backfill', 'release revoke start-from'),
  ...each('certificate', 'delete upload'),
  ...each('company', 'apply create delete update'),
  ...each('company registration', 'create switch-authorizer update'),
  ...each('inbound', 'fetch-by-key reprocess'),
  ...each('inbound capture', 'disable enable reactivate reset-nsu run update'),
  ...each('invoice', 'apply cancel correct disable email issue'),
  ...each('manifestation', 'apply submit'),
  ...each('product', 'apply create revalidate update'),
  ...each('tax', 'calculate'),
  ...each('webhook', 'create delete ping update'),
]);

function each(noun: string, verbs: string): readonly string[] {
  return verbs.split(' ').map((verb) => `${noun} ${verb}`);
}
