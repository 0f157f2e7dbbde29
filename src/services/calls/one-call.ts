import type { CallInput, RequestPreview } from '../../client/client.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../context.js';

/** A request as `--dry-run` shows it. */
export interface DryRun extends DataRecord {
  readonly type: 'dry-run';
  readonly operation: OperationId;
  readonly request: RequestPreview;
}

export async function previewOne<Id extends OperationId>(
  context: Context,
  operation: Id,
  input: CallInput<Id>,
): Promise<DryRun> {
  const client = await context.client();
  return { type: 'dry-run', operation, request: await client.preview(operation, input) };
}

/** What a command asks after the request that `--dry-run` shows. */
export function andThen(operation: OperationId): Text {
  const { en, pt } = operations[operation].summary;
  return { en: `and then: ${en}`, pt: `e depois: ${pt}` };
}
