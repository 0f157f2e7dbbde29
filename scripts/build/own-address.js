// @ts-check
import { pathToFileURL } from 'node:url';

/** What `import.meta.url` is in a CommonJS file. */
export const ownAddress = /* @__PURE__ */ address();

function address() {
  return pathToFileURL(__filename).href;
}
