import type { CallInput, RequestPreview } from '../../client/client.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../context.js';

/** §1: the registry belongs to the tax engine, which is billed apart from issuance. */
export const billedOne: Text = {
  en: 'the tax engine bills this call, because the product carries tax rules (fiscal usage shows it)',
  pt: 'o motor de cálculo cobra esta chamada, pois o produto tem regras fiscais (veja fiscal usage)',
};

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
