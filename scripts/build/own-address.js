// @ts-check
import { pathToFileURL } from 'node:url';

/** What `import.meta.url` is in a CommonJS file. */
export const ownAddress = pathToFileURL(__filename).href;
