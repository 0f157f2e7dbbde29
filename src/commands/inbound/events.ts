import type { Outcome } from '../../domain/outcome.js';
import { odataText } from '../../domain/odata.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { noNfseEvents } from './event-xml.js';
import type { GetRequest } from './get.js';
import { companyOf } from '../../services/read-company.js';
import { listEvents } from './read-events.js';
import { nameDocument } from './read-family.js';

/** The events of one document, every field as it came. */
export async function showEvents(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: accessKey } = nameDocument(request.key, request.type);
  if (family === 'nfse') throw noNfseEvents();
  if ((await context.settings()).dryRun) {
    const query = { $filter: `accessKey eq ${odataText(accessKey)}` };
    return { data: await previewOne(context, `${family}.inbound.events`, { path: { companyId }, query }) };
  }
  return { data: listEvents(context, { family, companyId, accessKey }) };
}
