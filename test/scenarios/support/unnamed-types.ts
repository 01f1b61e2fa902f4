import ts from 'typescript';

/**
 * Interfaces and classes that the exports of a declaration file lead to and that it does not export itself. A program
 * that exports a value of such a type cannot be compiled with `declaration: true`.
 */
export function unnamedTypes(entry: string, from: readonly string[]): readonly string[] {
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  });
  const checker = program.getTypeChecker();
  const original = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const source = program.getSourceFile(entry);
  const entrySymbol = source && checker.getSymbolAtLocation(source);
  const exports = entrySymbol === undefined ? [] : checker.getExportsOfModule(entrySymbol);
  const named = new Set(exports.map(original));
  const seen = new Set<ts.Symbol>();
  const unnamed = new Set<string>();
  const isOwn = (node: ts.Node) => !/node_modules\/(?!@agentx-hub\/)/.test(node.getSourceFile().fileName);
  const visit = (symbol: ts.Symbol): void => {
    if (seen.has(symbol)) return;
    seen.add(symbol);
    for (const declaration of symbol.declarations?.filter(isOwn) ?? []) ts.forEachChild(declaration, look);
  };
  const look = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node)) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) {
      const type = original(symbol);
      // What another interface extends is no type of a value.
      const isValueType = ts.isTypeReferenceNode(node) && type.declarations?.some(isOwn) === true;
      const isNominal = (type.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
      if (isValueType && isNominal && !named.has(type)) unnamed.add(type.name);
      visit(type);
    }
    ts.forEachChild(node, look);
  };
  for (const one of exports) if (from.includes(one.name)) visit(original(one));
  return [...unnamed].sort();
}
