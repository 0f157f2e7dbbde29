import { flag, listOf, one, type Outputs, record, text } from '../../cli/output-schema.js';
import { wait } from '../shared-records.js';

export const outputs: Outputs = {
  'pace reset': one({ pace: record({ profile: text, ended: listOf(wait) }, { dryRun: flag }) }),
};
