export type Json = Record<string, unknown>;

/** How parts of a schema are written, in the reference and in TypeScript. */
export interface SchemaDialect {
  /** `integer`, `string` … and `unknown` for a schema without a type. */
  scalar(type: string): string;
  reference(name: string): string;
  key(name: string): string;
  /** An object with any keys. */
  record(values: string): string;
}

const isSeveral = (text: string) => / [|&] /.test(text);

/** Renders a JSON schema as a type on one line. */
export function renderSchema(schema: Json, dialect: SchemaDialect): string {
  const {
    $ref,
    anyOf,
    allOf,
    enum: choices,
    const: only,
    type,
    items,
    minItems,
    maxItems,
    properties,
    additionalProperties,
  } = schema;
  const render = (one: unknown) => renderSchema((one ?? {}) as Json, dialect);
  const oneOf = (types: string[]) => [...new Set(types)].join(' | ');
  const grouped = (text: string) => (isSeveral(text) ? `(${text})` : text);
  if (typeof $ref === 'string') return dialect.reference($ref.split('/').at(-1)!);
  if (Array.isArray(anyOf)) return oneOf(anyOf.map(render));
  if (Array.isArray(allOf)) return allOf.map((one) => grouped(render(one))).join(' & ');
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(type)) return oneOf(type.map((one: string) => render({ ...schema, type: one })));
  if (type === 'array' && minItems === 2 && maxItems === 2) return `[${render(items)}, ${render(items)}]`;
  if (type === 'array') return `${grouped(render(items))}[]`;
  if (type === 'object' && properties) {
    const required = (schema.required as string[] | undefined) ?? [];
    const fields = Object.entries(properties).map(
      ([name, one]) => `${dialect.key(name)}${required.includes(name) ? '' : '?'}: ${render(one)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  if (type === 'object' && typeof additionalProperties === 'object') return dialect.record(render(additionalProperties));
  return dialect.scalar(typeof type === 'string' ? type : 'unknown');
}
