import { join, relative, sep } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');
const srcPrefix = `${src.split(sep).join('/')}/`;

/** `src` as the compiler understands it: a name is what it resolves to, and not a word that occurs somewhere. */
export class SourceProgram {
  readonly checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #named = new Map<ts.Node, ReadonlySet<ts.Node>>();

  constructor() {
    const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, configHost);
    const files = config?.fileNames.filter((path) => path.startsWith(srcPrefix)) ?? [];
    this.#program = ts.createProgram(files, config?.options ?? {});
    this.checker = this.#program.getTypeChecker();
  }

  /** The files with these paths below `src/`. */
  files(belongs: (path: string) => boolean = () => true): readonly ts.SourceFile[] {
    return this.#program.getSourceFiles().filter((file) => isOurs(file) && belongs(pathOf(file)));
  }

  /** What a module exports, or its type. */
  exported(module: ts.Symbol | string, name: string): ts.Declaration {
    const symbol = typeof module === 'string' ? this.#moduleAt(module) : module;
    const found = symbol && this.checker.tryGetMemberInModuleExports(name, symbol);
    const declaration = found && this.#resolved(found).declarations?.[0];
    if (declaration === undefined) throw new Error(`no module exports ${name}`);
    return declaration;
  }

  #moduleAt(path: string): ts.Symbol | undefined {
    const [file] = this.files((each) => each === path);
    return file && this.checker.getSymbolAtLocation(file);
  }

  /** The strings of a type that is made of strings alone, each of them known. */
  stringsOf(node: ts.Node): readonly string[] {
    return this.#strings(this.checker.getTypeAtLocation(node));
  }

  /** The strings that may stand in the place of an expression, by the type that is wanted there. */
  stringsWantedAt(expression: ts.Expression): readonly string[] {
    return this.#strings(this.checker.getContextualType(expression));
  }

  #strings(type: ts.Type | undefined): readonly string[] {
    if (type === undefined) return [];
    const members = type.isUnion() ? type.types : [type];
    const given = members.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    const strings = given.filter((member) => member.isStringLiteral());
    return strings.length === given.length ? strings.map(({ value }) => value) : [];
  }

  /**
   * The start and every top-level declaration that a run of it can come to: those that it names, those that these name,
   * and so on. Types name nothing. A method of an interface leads nowhere by itself: whoever makes the object names its
   * code.
   */
  reachedFrom(start: ts.Node): ReadonlySet<ts.Node> {
    const reached = new Set([start]);
    for (const node of reached) {
      for (const named of this.#namedBy(node)) reached.add(named);
    }
    return reached;
  }

  #namedBy(node: ts.Node): ReadonlySet<ts.Node> {
    const known = this.#named.get(node);
    if (known !== undefined) return known;
    const named = new Set<ts.Node>();
    forEachValue(node, (each) => {
      if (!ts.isIdentifier(each)) return;
      for (const declaration of this.#codeBehind(each)) {
        if (!isInside(declaration, node)) named.add(topLevelOf(declaration));
      }
    });
    this.#named.set(node, named);
    return named;
  }

  /** What a name stands for, in whichever file that is declared. */
  declarationsOf(name: ts.Node): readonly ts.Node[] {
    const symbol = ts.isShorthandPropertyAssignment(name.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.checker.getSymbolAtLocation(name);
    return symbol === undefined ? [] : (this.#resolved(symbol).declarations ?? []);
  }

  /**
   * The declarations of the property that a node reads, if it has one of these names: `settings.company`, or `company` in a
   * pattern. Other nodes read none.
   */
  propertyRead(
    node: ts.Node,
    names: ReadonlySet<string>,
  ): { readonly name: string; readonly declarations: readonly ts.Node[] } | undefined {
    if (ts.isPropertyAccessExpression(node)) {
      if (!names.has(node.name.text)) return undefined;
      return { name: node.name.text, declarations: this.declarationsOf(node.name) };
    }
    if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
    const read = node.propertyName ?? node.name;
    if (!ts.isIdentifier(read) && !ts.isStringLiteral(read)) return undefined;
    if (!names.has(read.text)) return undefined;
    const property = this.checker.getTypeAtLocation(node.parent).getProperty(read.text);
    return { name: read.text, declarations: property?.declarations ?? [] };
  }

  #codeBehind(name: ts.Identifier): readonly ts.Node[] {
    const declarations = this.declarationsOf(name);
    // After `const { work } = await import('./work.js')` only the type of the name leads to the function.
    const behind = declarations.some((each) => ts.isBindingElement(each))
      ? (this.checker.getTypeAtLocation(name).symbol?.declarations ?? [])
      : [];
    return [...declarations, ...behind].filter(
      (each) => !ts.isSourceFile(each) && isOurs(each.getSourceFile()) && isCode(each),
    );
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : this.checker.getAliasedSymbol(symbol);
  }
}

const configHost: ts.ParseConfigFileHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};

/** The path below `src/`, with `/`. */
export function pathOf(node: ts.Node): string {
  return relative(src, node.getSourceFile().fileName).split(sep).join('/');
}

/** It is asked of every name in the sources: the compiler writes paths with `/` and without `..`. */
function isOurs(file: ts.SourceFile): boolean {
  return !file.isDeclarationFile && file.fileName.startsWith(srcPrefix);
}

function isCode(node: ts.Node): boolean {
  return !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node) && !ts.isTypeNode(node);
}

function isInside(node: ts.Node, other: ts.Node): boolean {
  return node.getSourceFile() === other.getSourceFile() && node.pos >= other.pos && node.end <= other.end;
}

/** The function, the class or the variable at the top of a module that a declaration belongs to. */
function topLevelOf(declaration: ts.Node): ts.Node {
  let node = declaration;
  let variable: ts.Node | undefined;
  while (!ts.isSourceFile(node.parent)) {
    if (ts.isVariableDeclaration(node)) variable = node;
    node = node.parent;
  }
  return ts.isVariableStatement(node) && variable !== undefined ? variable : node;
}

/** Visits what is left of a node once its types are erased. */
export function forEachValue(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (!isCode(node)) return;
  visit(node);
  ts.forEachChild(node, (child) => forEachValue(child, visit));
}
