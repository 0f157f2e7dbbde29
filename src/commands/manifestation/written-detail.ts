import { plainNumbers } from '../../domain/product-check.js';
import { parseKeepingNumbers } from '../../domain/product-number.js';
import { readDocument } from '../../services/input/records.js';
import { openSource, type InputContext, type Source } from '../../services/input/source.js';

/** `--detail`: JSON as typed, a file, or `-` for standard input. Errors: `input.*`. */
export async function readDetail(context: InputContext, text: string): Promise<unknown> {
  const isJson = /^\s*[{[]/.test(text);
  const source = isJson ? typed(text) : await openSource(context, text, { again: false });
  return plainNumbers(await readDocument(source, parseKeepingNumbers));
}

/** One JSON text of a cell or an option; throws `SyntaxError`. Depth and numbers are held as in every other input. */
export function parseDetail(text: string): unknown {
  return plainNumbers(parseKeepingNumbers(text));
}

function typed(text: string): Source {
  return {
    name: '--detail',
    extension: '.json',
    async *bytes() {
      yield await Promise.resolve(new TextEncoder().encode(text));
    },
    close: () => Promise.resolve(),
  };
}
