import { each, flag, list, listOf, one, type Outputs, record, text } from '../../cli/output-schema.js';

export const outputs: Outputs = {
  'auth list': list({ auth: record({ profile: text, current: flag, keys: listOf(text) }) }),
  'auth login': one({
    // A dry run does not say which profile is in use.
    auth: record({ ...each(text, 'profile path'), stored: listOf(text), checked: flag }, { current: flag }),
  }),
  'auth logout': one({ auth: record({ profile: text, removed: flag }) }),
  'auth status': list({
    auth: record({ kind: text, present: flag }, each(text, 'scheme source checked problem')),
  }),
  'auth use': one({ auth: record({ profile: text, current: flag }) }),
};
