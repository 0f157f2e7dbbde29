import { each, list, listOf, one, type Outputs, record, usual } from '../../presenters/record.js';

export const outputs: Outputs = {
  'auth login': one({
    // A dry run does not say which profile is in use.
    auth: record(
      { ...usual('profile path'), ...each(listOf('text'), 'stored: gravados'), ...each('flag', 'checked: verificado') },
      'current',
    ),
  }),
  'auth logout': one({ auth: record('profile removed') }),
  'auth status': list({
    auth: record(
      { ...usual('kind'), ...each('flag', 'present: there | cadastrada') },
      { ...usual('scheme source problem'), ...each('text', 'checked: verificado') },
    ),
    profile: record({ ...usual('profile current'), ...each(listOf('word'), 'keys: chaves') }),
  }),
  'auth use': one({ auth: record('profile current') }),
};
