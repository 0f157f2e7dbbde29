import { shellLine } from '../domain/command-words.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { createIo } from '../io/create.js';
import { shownCell } from '../presenters/cell.js';
import { usualFields } from '../presenters/record.js';
import { plainPaint, type RenderOptions } from '../presenters/render.js';
import { displayWidth, fit, pad } from '../presenters/width.js';
import type { ChoiceRow, PickContext, PickRequest } from '../services/pick.js';
import { flagValues } from './parse.js';
import type { RunContext } from './perform.js';
import { choosePresentation } from './presentation.js';
import { createResources, once } from './resources.js';
import { readCommandLine } from './tree.js';

/**
 * Asks a person for what the error misses, and shows the command that does the same. `undefined` where nobody can be asked: without
 * a terminal, in CI, with another output than tables, with input from stdin, or where there is nothing to choose from.
 */
export async function pickMissing(
  error: unknown,
  argv: readonly string[],
  { host, catalogue, early, attachSandbox }: RunContext,
): Promise<readonly string[] | undefined> {
  const pick = error instanceof FiscalError ? error.facts.pick : undefined;
  if (pick === undefined || argv.includes('-')) return undefined;
  const { nodes, options } = await readCommandLine(argv, catalogue, { isLenient: true });
  const { path, args } = nodes.at(-1) ?? nodes[0];
  const flags = flagValues(options);
  const resources = createResources(host, flags, attachSandbox);
  try {
    const shown = await choosePresentation(resources.settings, flags, early);
    const io = createIo(host, { ...shown, statsMs: 0 });
    if (!io.mayAsk || !host.stdout.isTerminal || (shown.output ?? 'table') !== 'table') return undefined;
    const { client, config, settings, store } = resources;
    const { clock, interruption } = host;
    const notice: PickContext['notice'] = (text) => io.notice(text[io.language]);
    const sources = { client, config, settings, store, clock, interruption, flags, notice };
    const scope = once(async () => (await import('../services/scope/resolver.js')).createScope(sources));
    const look = {
      language: io.language,
      columns: host.stderr.columns,
      paint: plainPaint,
      isUtc: shown.utc,
      isAscii: io.isAscii,
    };
    const { picker } = await catalogue.pickers[pick]();
    const request: PickRequest = {
      command: path.slice('fiscal '.length),
      arguments: args,
      lines: (rows, fields) => choiceLines(rows, fields, look),
    };
    const words = await picker({ ...sources, scope }, io, request);
    if (words === undefined) return undefined;
    await io.notice(`${io.isAscii ? '->' : '→'} ${shellLine(['fiscal', ...argv, ...words])}`);
    return words;
  } finally {
    await resources.close();
  }
}

/** The cursor and the box of a list stand before each line. */
const MARGIN = 5;

/** One line per row, with the cells in columns; a line that is too long is cut. */
function choiceLines(rows: readonly ChoiceRow[], fields: readonly string[], look: RenderOptions): readonly string[] {
  const cells = rows.map((row) =>
    fields.map((name) => shownCell({ name, schema: usualFields[name] }, row[name], look).text),
  );
  const widths = fields.map((_field, index) => Math.max(0, ...cells.map((row) => displayWidth(row[index] ?? ''))));
  return cells.map((row) => {
    const line = row.map((cell, index) => pad(cell, widths[index] ?? 0)).join('  ');
    return fit(line.trimEnd(), look.columns - MARGIN);
  });
}
