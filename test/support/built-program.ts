import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The program as it is installed: `bin/fiscal.js` over `dist`. `npm test` builds it first. */
export const builtProgram = join(import.meta.dirname, '../../bin/fiscal.js');

export const isBuilt = existsSync(join(import.meta.dirname, '../../dist/main.js'));
