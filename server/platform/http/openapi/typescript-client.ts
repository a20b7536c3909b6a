import { openapi } from './openapi.ts';
import { renderSchema, type Json, type SchemaDialect } from './schema-text.ts';

// Generates clients/typescript/api.ts from the OpenAPI document.

interface Operation {
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const scalars: Record<string, string> = { integer: 'number', object: 'Record<string, unknown>' };
const typescript: SchemaDialect = {
  scalar: (type) => scalars[type] ?? type,
  reference: (name) => name,
  key,
  record: (values) => `Record<string, ${values}>`,
};
const typeOf = (schema: Json) => renderSchema(schema, typescript);

function operationType(one: Operation): string {
  const partOf = (place: string) => one.parameters?.filter((each) => each.in === place) ?? [];
  const fieldsOf = (parameters: ReturnType<typeof partOf>) =>
    parameters.map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ');
  const [params, query] = [partOf('path'), partOf('query')];
  const body = one.requestBody?.content['application/json']?.schema;
  const reply = one.responses[200]?.content?.['application/json']?.schema;
  const parts = [
    ...(params.length > 0 ? [`params: { ${fieldsOf(params)} }`] : []),
    ...(query.length > 0 ? [`query${query.some(({ required }) => required) ? '' : '?'}: { ${fieldsOf(query)} }`] : []),
    ...(body ? [`body${one.requestBody!.required ? '' : '?'}: ${typeOf(body)}`] : []),
  ];
  return `{ sent: { ${parts.join('; ')} }; reply: ${reply ? typeOf(reply) : 'void'} }`;
}

/** Returns the content of clients/typescript/api.ts: the types of all calls and schemas. */
export function renderTypescriptClient(): string {
  const { paths, components } = openapi() as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Json> };
  };
  const schemas = Object.entries(components.schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) =>
        `  /** ${one.summary}. */\n  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${operationType(one)};`,
    ),
  );
  return `${[
    '// Generated from the OpenAPI document by `npm run docs:api`; do not edit.',
    ...schemas,
    `/** All calls: what is sent, and the reply (void: 204, or a file). */\nexport interface Api {\n${calls.join('\n')}\n}`,
  ].join('\n\n')}\n`;
}
