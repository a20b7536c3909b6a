import { z } from 'zod';
import { api } from '#contract/api.ts';
import { longestWindow, scopeOf, type Call, type May } from '#contract/endpoint.ts';
import { Channel } from '#contract/channel.ts';
import { Check } from '#contract/health.ts';
import { Download } from '#contract/download.ts';
import { Paginate } from '#contract/page.ts';
import { Playlist } from '#contract/playlist.ts';
import { RulesPreview } from '#contract/rules.ts';
import { Schedule } from '#contract/schedule.ts';
import { Notification, TaskReply, TaskResult } from '#contract/task.ts';
import { Account, UserConfig } from '#contract/user.ts';
import { Comment, Player, PlaylistNav, Sponsorblock, Stream, Subtitle, Video } from '#contract/video.ts';
import { version } from '../../config/version.ts';

// OpenAPI 3.1 description of the API, generated from the contract that validates requests
// (docs/decisions/no-generated-client.md).

type Json = Record<string, unknown>;

// Schemas with a name in the document; others are inlined.
const named = {
  Account,
  Channel,
  Check,
  Comment,
  Download,
  Notification,
  Paginate,
  Player,
  Playlist,
  PlaylistNav,
  RulesPreview,
  Schedule,
  Sponsorblock,
  Stream,
  Subtitle,
  TaskReply,
  TaskResult,
  UserConfig,
  Video,
};

type Side = 'input' | 'output';

function schemaOf(schema: z.ZodType, io: Side, components: Json): Json {
  const {
    $schema: _,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      const { sent, gives } = jsonSchema as { sent?: Json; gives?: Json };
      if (sent || gives) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
        Object.assign(jsonSchema, io === 'input' ? sent : gives);
      }
      // Generators of clients do not know tuples. All of ours have items of one type.
      if (jsonSchema.prefixItems) {
        const { prefixItems, ...rest } = jsonSchema;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
        Object.assign(jsonSchema, rest, { items: prefixItems[0], minItems: prefixItems.length, maxItems: prefixItems.length });
      }
      // zod's limits for safe integers
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Json;
  // Input types are looser than output types, so they have their own names.
  const nameOf = (name: string) => (io === 'input' ? `${name}Sent` : name);
  const moved = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? `#/components/schemas/${nameOf(value.replace('#/$defs/', ''))}` : value,
    );
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) components[nameOf(name)] = moved(definition);
  return moved(json) as Json;
}

const messageIn = (key: string): Json => ({
  type: 'object',
  properties: { [key]: { type: 'string' } },
  required: [key],
});

const shapes: Json = {
  Refusal: {
    ...messageIn('error'),
    description: 'Error message. Invalid fields have a list of messages under their name.',
  },
  Denial: { ...messageIn('detail'), description: 'Access denied, or rate limit exceeded.' },
};
const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, schema: Json) => ({ description, content: { 'application/json': { schema } } });

const roles: Record<May, string> = {
  anyone: 'Public.',
  user: 'Requires a login.',
  staff: 'Requires the staff role.',
};

const isChange = (method: string) => method !== 'GET';

function securityOf(may: May, method: string, bySession = false): Json[] {
  if (may === 'anyone') return [];
  return [isChange(method) ? { session: [], csrf: [] } : { session: [] }, ...(bySession ? [] : [{ token: [] }])];
}

function failuresOf(
  call: Pick<Call, 'may' | 'refusal' | 'windowed' | 'conflict' | 'secret' | 'bearer'>,
  method: string,
  path: string,
  components: Json,
): Json {
  const badRequest = call.refusal
    ? { anyOf: [refOf('Refusal'), schemaOf(call.refusal, 'output', components)] }
    : refOf('Refusal');
  return {
    400: answer('Invalid or rejected request', badRequest),
    ...(call.bearer && { 401: answer('No valid token', refOf('Denial')) }),
    ...((call.may !== 'anyone' || method !== 'GET' || call.secret) && {
      403: answer('Not logged in, or access denied', refOf('Denial')),
    }),
    404: answer('Not found', path.includes('/schedule/') ? { anyOf: [refOf('Denial'), refOf('Refusal')] } : refOf('Refusal')),
    ...(call.windowed && {
      409: answer('Replaced by a newer request of the same window (`X-Reelkeep-Window`)', refOf('Refusal')),
    }),
    ...(call.conflict !== undefined && { 409: answer(call.conflict, refOf('Refusal')) }),
    ...(call.secret && { 410: answer('The link is no longer valid', refOf('Refusal')) }),
    ...(isChange(method) && {
      413: answer('Body larger than 1 MB', refOf('Refusal')),
      415: answer('Unsupported content type', refOf('Denial')),
    }),
    429: answer('Too many requests; see Retry-After', refOf('Denial')),
    431: answer('Headers too large', refOf('Refusal')),
    503: answer('Database or storage not available; see Retry-After', refOf('Refusal')),
    507: answer('Disk full', refOf('Refusal')),
  };
}

/** Converts a path to the OpenAPI notation. */
export const openPath = (path: string) => path.replace(/:(\w+)/g, '{$1}');

const idOf = (method: string, path: string) =>
  method.toLowerCase() +
  path
    .split(/[^a-zA-Z]+/)
    .filter((word) => word && word !== 'api')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

function parametersOf(call: Call, components: Json): Json[] {
  return (['params', 'query'] as const).flatMap((part) => {
    const schema = call[part];
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, 'input', components) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, one]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || required.includes(name),
      schema: one,
    }));
  });
}

const confirmation: Json = {
  name: 'X-Reelkeep-Confirm',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description:
    'Required to delete more than 100 videos or 100 GB: the percent-encoded password of the caller, or the number of videos if the ' +
    'caller has no password in Reelkeep (`GET /api/user/confirm/`).',
};

const proof: Json = {
  name: 'X-Reelkeep-Confirm',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'Percent-encoded password of the caller. Required if the login is older than ten minutes.',
};

const windowName: Json = {
  name: 'X-Reelkeep-Window',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: longestWindow },
  description:
    'Unique name of a page that searches while the user types. A queued request returns 409 when a newer one with the same name ' +
    'arrives. Without the header no request is replaced.',
};

function operationOf(name: string, call: Call, components: Json): Json {
  const [method = '', path = ''] = name.split(' ');
  const parameters = [
    ...parametersOf(call, components),
    ...(call.confirmed ? [confirmation] : []),
    ...(call.proven ? [proof] : []),
    ...(call.windowed ? [windowName] : []),
  ];
  return {
    operationId: idOf(method, path),
    tags: [path.split('/')[path.startsWith('/api') ? 2 : 1]],
    summary: call.does,
    description: `${roles[call.may]}${call.bySession ? ' API tokens are rejected.' : ''}${call.strict ? ' Unknown fields are rejected.' : ''}`,
    'x-may': call.may,
    ...(call.bySession ? { 'x-by-session': true } : call.may !== 'anyone' && { 'x-scope': scopeOf(method, call) }),
    security: securityOf(call.may, method, call.bySession),
    ...(parameters.length > 0 && { parameters }),
    ...(call.bytes === 'in' && { requestBody: { required: true, content: { 'application/octet-stream': { schema: bytes } } } }),
    ...(call.body && {
      requestBody: {
        required: !call.body.safeParse({}).success,
        content: { 'application/json': { schema: schemaOf(call.body, 'input', components) } },
      },
    }),
    responses: {
      ...(call.reply
        ? { 200: answer('Success', schemaOf(call.reply, 'output', components)) }
        : call.bytes === 'out'
          ? {
              200: { description: 'The file', content: { [call.type ?? '*/*']: { schema: bytes } } },
              206: { description: 'The requested range', content: { [call.type ?? '*/*']: { schema: bytes } } },
              ...(call.redirects && { 302: { description: 'Redirect' } }),
              304: { description: 'Not modified' },
              ...(call.type === '*/*' && inBucket),
              412: { description: 'The file is another one (If-Match, If-Unmodified-Since)' },
              416: { description: 'Range not satisfiable' },
            }
          : call.protocol
            ? { 200: answer('Messages of the protocol', {}), 202: { description: 'Accepted' } }
            : call.redirects
              ? { 302: { description: 'Redirect' } }
              : { 204: { description: 'Success, no content' } }),
      ...failuresOf(call, method, path, components),
    },
  };
}

const inBucket: Json = { 307: { description: 'The media file is in a bucket, at a signed URL that is valid for six hours' } };

const bytes: Json = { type: 'string', format: 'binary' };

// Endpoints that are not part of the contract, because they do not return JSON.
function otherEndpoints(components: Json): Record<string, Json> {
  const get = (summary: string, path: string, type: string, parameters: string[] = []): Json => ({
    operationId: idOf('GET', path),
    tags: [path.split('/')[path.startsWith('/api') ? 2 : 1]],
    summary,
    description: roles.user,
    'x-may': 'user',
    security: securityOf('user', 'GET'),
    ...(parameters.length > 0 && {
      parameters: parameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    responses: {
      200: {
        description: 'Success',
        // No schema for event streams: some tools apply it to each event, which OpenAPI 3.1 cannot describe.
        content: {
          [type]: type === 'text/event-stream' ? {} : { schema: { type: type.includes('json') ? 'object' : 'string' } },
        },
      },
      ...(!path.startsWith('/api') && {
        206: { description: 'The requested range' },
        304: { description: 'Not modified' },
        ...inBucket,
        412: { description: 'The file is another one (If-Match, If-Unmodified-Since)' },
        416: { description: 'Range not satisfiable' },
      }),
      ...failuresOf({ may: 'user' }, 'GET', path, components),
      429: answer('Too many concurrent requests; see Retry-After', refOf('Denial')),
    },
  });
  const path = ['path'];
  return {
    '/api/events/': get('Stream changes and notifications as server-sent events (Reelkeep)', '/api/events/', 'text/event-stream'),
    '/api/schema/': get('Get the OpenAPI document', '/api/schema/', 'application/json'),
    '/api/docs/': get('Show the interactive API reference', '/api/docs/', 'text/html'),
    '/youtube/{path}': get('Get a media file or its subtitles; byte ranges are supported', '/youtube/', '*/*', path),
    '/media/{path}': get('Get a media file or its subtitles (same as /youtube/)', '/media/', '*/*', path),
    '/cache/{path}': get('Get an image', '/cache/', 'image/jpeg', path),
  };
}

let document: Json | undefined;

function make(): Json {
  for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema as z.ZodType, { ...schema.meta(), id });
  const components: Json = { ...shapes };
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(api as Record<string, Call>)) {
    const [method = '', path = ''] = name.split(' ');
    (paths[openPath(path)] ??= {})[method.toLowerCase()] = operationOf(name, call, components);
  }
  for (const [path, operation] of Object.entries(otherEndpoints(components))) paths[path] = { get: operation };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reelkeep',
      version,
      description:
        'Authenticate with a session or an API token. Sessions: log in, send the cookies, and with every change the value of the ' +
        'cookie `csrftoken` as `X-CSRFToken`. API tokens: `Authorization: Token …`, from `/api/appsettings/token/`. Times are ' +
        'seconds since 1970 unless they are strings.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sessionid', description: 'Set by the login.' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRFToken', description: 'The value of the cookie csrftoken.' },
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Token, a space, and 40 hexadecimal digits.' },
      },
    },
  };
}

/** Returns the OpenAPI document for a base path. Generated on first use, which takes about 40 ms. */
export const openapi = (basePath = ''): Json => ({ ...(document ??= make()), servers: [{ url: basePath || '/' }] });
