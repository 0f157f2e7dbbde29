import { anything, each, flag, list, one, type Outputs, record, text } from '../../cli/output-schema.js';

export const outputs: Outputs = {
  'config get': { prints: 'any', records: {} },
  'config list': list({ config: record({ name: text, value: anything }, { origin: text }) }),
  'config path': one({ config: record(each(text, 'config state data')) }),
  'config set': one({ config: record({ ...each(text, 'profile name'), value: anything }) }),
  'config unset': one({ config: record({ ...each(text, 'profile name'), removed: flag }) }),
};
