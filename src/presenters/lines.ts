import { jsonLine } from './json.js';
import type { View } from './look.js';

/** One JSON document per line, on a terminal too. */
export const linesView: View = (data) => (Array.isArray(data) ? data.map(jsonLine) : [jsonLine(data)]);
