import { type Checker, SymbolFlags, type Type, TypeFlags, type UnionType } from 'typescript/unstable/sync';

export type Schema = boolean | { [keyword: string]: unknown };

/**
 * Turns types of the SDK into JSON Schema. Interfaces become shared definitions that allow no other fields. An object
 * that is not served (`kinds`: values of the field `object`) becomes `false`, so that only its id is valid. With null
 * for `kinds`, types are those of parameters: all of them count, and one without fields allows none. Decimals are
 * strings. A list may also have `total_count`, which Stripe sends but the SDK does not declare.
 */
export function createWalker(checker: Checker, kinds: Set<string> | null) {
  const names = new Map<number, string>();
  const definitions: Record<string, Schema> = {};

  const schemaOf = (type: Type): Schema => {
    const flags = type.flags;
    if (flags & TypeFlags.Any || flags & TypeFlags.Unknown) return true;
    if (flags & TypeFlags.Never || flags & TypeFlags.Void || flags & TypeFlags.Undefined) return false;
    if (flags & TypeFlags.Null) return { type: 'null' };
    if (flags & TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isLiteralType()) return { const: type.value };
    if (flags & TypeFlags.String) return { type: 'string' };
    if (flags & TypeFlags.Number) return { type: 'number' };
    if (type.isUnionType()) return unionOf(type);
    if (type.getAliasSymbol()?.name === 'Decimal') return { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' };
    // The SDK allows any other string here for future values; we do not.
    if (type.isIntersectionType()) return false;
    return objectOf(type);
  };

  const unionOf = (type: UnionType): Schema => {
    const parts = type.getTypes().map(schemaOf).filter((part) => part !== false);
    if (parts.some((part) => part === true)) return true;
    const values = parts.flatMap((part) => (typeof part === 'object' && 'const' in part ? [part.const] : []));
    const kinds = parts.flatMap((part) =>
      typeof part === 'object' && typeof part.type === 'string' && Object.keys(part).length === 1 ? [part.type] : [],
    );
    const rest = parts.filter((part) => typeof part === 'object' && !('const' in part) && !('type' in part && Object.keys(part).length === 1));
    const texts = values.filter((value) => typeof value === 'string');
    const bools = values.filter((value) => typeof value === 'boolean');
    const any: Schema[] = [...rest];
    if (bools.length === 2) kinds.push('boolean');
    else if (bools.length === 1) any.push({ const: bools[0] });
    if (texts.length > 0 && !kinds.includes('string')) any.push({ enum: texts });
    if (kinds.length > 0) any.push({ type: kinds.length === 1 ? kinds[0] : kinds });
    if (any.length === 0) return false;
    return any.length === 1 ? (any[0] ?? false) : { anyOf: any };
  };

  const objectOf = (type: Type): Schema => {
    if (checker.isArrayType(type) && type.isTypeReference()) {
      const [item] = checker.getTypeArguments(type);
      return { type: 'array', items: item ? schemaOf(item) : true };
    }
    const name = type.getSymbol()?.name;
    const kind = objectName(type);
    if (kinds && kind !== null && kind !== 'list' && !kinds.has(kind)) return false;
    const definition = names.get(type.id);
    if (definition) return { $ref: `#/$defs/${definition}` };
    const key = `${name ?? 'T'}${names.size}`;
    names.set(type.id, key);
    definitions[key] = membersOf(type);
    return { $ref: `#/$defs/${key}` };
  };

  const membersOf = (type: Type): Schema => {
    const properties: Record<string, Schema> = {};
    const requiredNames: string[] = [];
    const symbols = checker.getPropertiesOfType(type);
    const types = checker.getTypeOfSymbol(symbols);
    for (const [at, symbol] of symbols.entries()) {
      const member = types[at];
      if (!member) continue;
      const schema = schemaOf(member);
      if (schema === false) continue;
      properties[symbol.name] = schema;
      if (!(symbol.flags & SymbolFlags.Optional)) requiredNames.push(symbol.name);
    }
    if (objectName(type) === 'list') properties.total_count = { type: 'number' };
    const [index] = checker.getIndexInfosOfType(type);
    const additional = index ? schemaOf(index.valueType) : kinds !== null && symbols.length === 0;
    return { type: 'object', properties, required: requiredNames, additionalProperties: additional };
  };

  const objectName = (type: Type): string | null => {
    const symbol = checker.getPropertyOfType(type, 'object');
    const literal = symbol && checker.getTypeOfSymbol(symbol);
    return literal?.isStringLiteralType() ? String(literal.value) : null;
  };

  return { schemaOf, definitions };
}
