import { openapi } from './openapi.ts';

// docs/api.md: the same document for people who read it on paper.

type Json = Record<string, unknown>;
interface Operation {
  'x-may': string;
  'x-by-session'?: boolean;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

const last = (ref: string) => ref.split('/').at(-1)!;

/** A schema in few words, on one line. */
function words(schema: Json, depth = 0): string {
  const {
    $ref,
    anyOf,
    enum: choices,
    const: only,
    type,
    items,
    prefixItems,
    properties,
    required,
    additionalProperties,
  } = schema;
  if (typeof $ref === 'string') return last($ref).replace(/Sent$/, '');
  if (Array.isArray(anyOf)) return [...new Set((anyOf as Json[]).map((one) => words(one, depth)))].join(' | ');
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(' | ');
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(prefixItems)) return `[${(prefixItems as Json[]).map((one) => words(one, depth + 1)).join(', ')}]`;
  if (type === 'array') {
    const item = words(items as Json, depth + 1);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (type === 'object' && properties) {
    const keys = Object.entries(properties as Record<string, Json>).map(
      ([name, one]) => `${name}${((required as string[]) ?? []).includes(name) ? '' : '?'}: ${words(one, depth + 1)}`,
    );
    return `{ ${keys.join(', ')} }`;
  }
  if (type === 'object' && typeof additionalProperties === 'object')
    return `{ …: ${words(additionalProperties as Json, depth + 1)} }`;
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'anything';
}

const who: Record<string, string> = { anyone: 'anyone', user: 'logged in', staff: 'staff' };

function section(method: string, path: string, one: Operation): string {
  const lines = [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${one.summary}. Who: ${who[one['x-may']]}${one['x-by-session'] ? ', not by a token' : ''}.`,
    '',
  ];
  const told = (label: string, text: string) => lines.push(`- ${label}: \`${text}\``);
  const query = one.parameters?.filter((each) => each.in === 'query') ?? [];
  if (query.length > 0)
    told('query', query.map((each) => `${each.name}${each.required ? '' : '?'}: ${words(each.schema)}`).join(', '));
  const headers = one.parameters?.filter((each) => each.in === 'header') ?? [];
  if (headers.length > 0) told('header', headers.map((each) => `${each.name}?`).join(', '));
  const body = one.requestBody?.content['application/json']?.schema;
  if (body) told('body', words(body));
  const [type, content] = Object.entries(one.responses[200]?.content ?? {})[0] ?? [];
  if (!type) lines.push('- answer: 204');
  else told('answer', type === 'application/json' ? words(content!.schema) : type);
  return lines.join('\n');
}

/** The whole of docs/api.md. */
export function referencePage(): string {
  const { paths, components, info } = openapi() as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Json> };
    info: { description: string };
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => section(method, path, one)),
  );
  const shapes = Object.entries(components.schemas)
    .filter(([name]) => !name.endsWith('Sent'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n\`\`\`\n${words(schema).replace(/, (?=\w+\??: )/g, ',\n  ')}\n\`\`\``);
  return `${[
    '# The API',
    'Made from the table of calls by `npm run api-page`; change `contract/`, not this page. A running server answers the same as OpenAPI 3.1 at `/api/schema/`, and as a page to try it at `/api/docs/`.',
    info.description,
    'What deletes more than 100 videos or 100 GB at once wants the header `X-Reelkeep-Confirm`: the password of who asks, percent-encoded, or, where somebody has none here, how many videos they are (`GET /api/user/confirm/`). An API token deletes no more than that in an hour without it.',
    'What makes or changes what lets people in (named tokens, accounts, linking with a provider, restoring a backup of ours) wants the password of who asks in the same header, unless they have logged in within ten minutes. A refusal says in `prove.by` whether it is the `password` or, where somebody has none here, another `login` (`GET /api/user/oidc/again/`). Whom a proxy names is not asked.',
    'What is searched for waits for its turn. A page in which somebody types names itself in the header `X-Reelkeep-Window`: what waits under that name answers 409 when something newer is asked for under it.',
    'What is refused answers 400 or 404 with `error`, 403, 405, 415 and 429 with `detail`: a sentence for people. `?` marks what may be left out.',
    '## Calls',
    ...calls,
    '## Shapes',
    ...shapes,
  ].join('\n\n')}\n`;
}
