import { each, list, one, type Outputs, record, usual } from '../../presenters/record.js';

export const outputs: Outputs = {
  'config get': { prints: 'any', records: {} },
  'config list': list({ config: record({ ...usual('name'), ...each('anything', 'value: valor') }, 'origin') }),
  'config set': one({ config: record({ ...usual('profile name'), ...each('anything', 'value: valor') }) }),
  'config unset': one({ config: record('profile name removed') }),
};
