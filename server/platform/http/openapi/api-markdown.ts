import { openapi } from './openapi.ts';
import { renderSchema, type Json, type SchemaDialect } from './schema-text.ts';

// Generates docs/api.md from the OpenAPI document.

interface Operation {
  'x-may': string;
  'x-by-session'?: boolean;
  'x-scope'?: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const reference: SchemaDialect = {
  scalar: (type) => (type === 'unknown' ? 'anything' : type),
  reference: (name) => name.replace(/Sent$/, ''),
  key: (name) => name,
  record: (values) => `{ …: ${values} }`,
};
const describeSchema = (schema: Json) => renderSchema(schema, reference);

const access: Record<string, string> = { anyone: 'public', user: 'logged-in users', staff: 'staff' };

function section(method: string, path: string, one: Operation): string {
  const lines = [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${one.summary}. Access: ${access[one['x-may']]}${one['x-by-session'] ? ', no API tokens' : one['x-scope'] ? `, scope ${one['x-scope']}` : ''}.`,
    '',
  ];
  const addLine = (label: string, text: string) => lines.push(`- ${label}: \`${text}\``);
  const query = one.parameters?.filter((each) => each.in === 'query') ?? [];
  if (query.length > 0)
    addLine('query', query.map((each) => `${each.name}${each.required ? '' : '?'}: ${describeSchema(each.schema)}`).join(', '));
  const headers = one.parameters?.filter((each) => each.in === 'header') ?? [];
  if (headers.length > 0) addLine('header', headers.map((each) => `${each.name}?`).join(', '));
  const body = one.requestBody?.content['application/json']?.schema;
  if (body) addLine('body', describeSchema(body));
  const [type, content] = Object.entries(one.responses[200]?.content ?? {})[0] ?? [];
  if (!type) lines.push('- response: 204');
  else addLine('response', type === 'application/json' ? describeSchema(content!.schema) : type);
  return lines.join('\n');
}

/** Returns the content of docs/api.md. */
export function renderApiMarkdown(): string {
  const { paths, components, info } = openapi() as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Json> };
    info: { description: string };
  };
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => section(method, path, one)),
  );
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => !name.endsWith('Sent'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n\`\`\`\n${describeSchema(schema).replace(/, (?=\w+\??: )/g, ',\n  ')}\n\`\`\``);
  return `${[
    '# API reference',
    'Generated from `contract/` by `npm run docs:api`; do not edit this page. A running server provides the same reference as OpenAPI 3.1 at `/api/schema/`, and as an interactive page at `/api/docs/`.',
    'Reelkeep implements the API of TubeArchivist. Endpoints and parameters marked (Reelkeep) are not part of it.',
    info.description,
    'Deleting more than 100 videos or 100 GB in one request requires the header `X-Reelkeep-Confirm` with the percent-encoded password of the caller, or with the number of videos if the caller has no password in Reelkeep (`GET /api/user/confirm/`). Without the header, an API token can delete at most 100 videos or 100 GB per hour. A request that exceeds this limit changes nothing and returns 429. A script that deletes videos one by one then waits for the seconds in `Retry-After` and repeats the request, or sends the header.',
    'Sensitive actions (creating named tokens, changing accounts, linking an OpenID login, restoring a Reelkeep backup) require the password of the caller in the same header if the login is older than ten minutes. The error response contains in `prove.by` either `password` or, for callers without a password in Reelkeep, `login` (`GET /api/user/oidc/reauthenticate/`). Users authenticated by a proxy are exempt.',
    'Bodies are JSON, or forms (`application/x-www-form-urlencoded`, `multipart/form-data`): nested fields are `section.key`, list items `data[0]key`, and an empty string is null if the field is nullable. Forms sent by pages of other sites are rejected.',
    'Searches are queued. If an account has eight queued searches, further ones wait for up to 15 seconds, then return 429 with `Retry-After`. Pages that search while the user types send a unique name in the header `X-Reelkeep-Window`: a queued search returns 409 when a newer one with the same name arrives.',
    'Errors 400 and 404 have the field `error`, and 403, 405, 415 and 429 the field `detail`, with a message for users. `?` marks optional fields.',
    '## Endpoints',
    ...endpoints,
    '## Schemas',
    ...schemas,
  ].join('\n\n')}\n`;
}
