import ts from 'typescript';
import { forEachValue, type SourceProgram } from './program.js';

/** Where the code of each command begins: the row of its verb, or the definition of a command without a verb. */
export function commandNodes(program: SourceProgram, names: readonly string[]): ReadonlyMap<string, ts.Node> {
  const modules = new Map([...modulesOf(program, 'groups'), ...modulesOf(program, 'singles')]);
  return new Map(
    names.map((name) => {
      const [noun = '', ...verb] = name.split(' ');
      const module = modules.get(noun);
      if (module === undefined) throw new Error(`no module is loaded for ${noun}`);
      if (verb.length === 0) return [name, program.exported(module, 'command')];
      return [name, rowOf(program, program.exported(module, 'group').getSourceFile(), verb.join(' '))];
    }),
  );
}

/** The module that each noun loads. */
function modulesOf(program: SourceProgram, list: 'groups' | 'singles'): ReadonlyMap<string, ts.Symbol> {
  const modules = new Map<string, ts.Symbol>();
  const table = program.exported('commands/groups.ts', list);
  forEachValue(table, (node) => {
    if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return;
    const [path] = node.arguments;
    const module = path && program.checker.getSymbolAtLocation(path);
    let entry: ts.Node = node;
    while (entry.parent.parent !== table) entry = entry.parent;
    if (module !== undefined && ts.isPropertyAssignment(entry)) modules.set(nameOf(entry), module);
  });
  return modules;
}

/** The row with the name of the verb in its file; a row for several models stands behind one that names the model. */
function rowOf(program: SourceProgram, file: ts.SourceFile, verb: string): ts.Node {
  const rows: ts.ObjectLiteralElementLike[] = [];
  forEachValue(file, (node) => {
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) rows.push(node);
  });
  const exact = rows.filter((row) => nameOf(row) === verb);
  const model = verb.replace(/^\w+/, '*');
  const found = exact.length > 0 ? exact : rows.filter((row) => nameOf(row) === model);
  const [row] = found.length > 1 ? found.filter((each) => isVerb(program, each)) : found;
  if (row === undefined) throw new Error(`no row of ${file.fileName} is ${verb}`);
  return row;
}

/** The name of a row; what is computed in it stands as `*`. */
function nameOf({ name }: ts.ObjectLiteralElementLike): string {
  if (name === undefined) return '';
  if (!ts.isComputedPropertyName(name)) return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
  if (!ts.isTemplateExpression(name.expression)) return '';
  const { head, templateSpans } = name.expression;
  return [head.text, ...templateSpans.map(({ literal }) => `*${literal.text}`)].join('');
}

function isVerb({ checker }: SourceProgram, { parent }: ts.ObjectLiteralElementLike): boolean {
  if (!ts.isObjectLiteralExpression(parent)) return false;
  return checker.getContextualType(parent)?.getStringIndexType()?.aliasSymbol?.name === 'Verb';
}
