import { z } from 'zod';
import { api } from '#contract/api.ts';
import { longestWindow, type Call, type May } from '#contract/call.ts';
import { Channel } from '#contract/channel.ts';
import { Check } from '#contract/doctor.ts';
import { Download } from '#contract/download.ts';
import { Paginate } from '#contract/page.ts';
import { Playlist } from '#contract/playlist.ts';
import { RulesPreview } from '#contract/rules.ts';
import { Schedule } from '#contract/schedule.ts';
import { Notification, TaskReply, TaskResult } from '#contract/task.ts';
import { Account, UserConfig } from '#contract/user.ts';
import { Comment, Player, PlaylistNav, Sponsorblock, Stream, Subtitle, Video } from '#contract/video.ts';
import { version } from '../version.ts';

// The API's description in OpenAPI 3.1, made from the very table that requests are checked against.

type Json = Record<string, unknown>;

// What has a name of its own in the document; the rest stands where it is used.
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
      // zod's way to say "an integer that JavaScript can hold"
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Json;
  // What is sent has looser types than what is answered, so it has a name of its own.
  const nameOf = (name: string) => (io === 'input' ? `${name}Sent` : name);
  const moved = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? `#/components/schemas/${nameOf(value.replace('#/$defs/', ''))}` : value,
    );
  for (const [name, definition] of Object.entries(($defs ?? {}) as Json)) components[nameOf(name)] = moved(definition);
  return moved(json) as Json;
}

const says = (key: string): Json => ({
  type: 'object',
  properties: { [key]: { type: 'string' } },
  required: [key],
});

const shapes: Json = {
  Refusal: {
    ...says('error'),
    description: 'What is wrong, as a sentence. Where a field is wrong, its name holds a list of sentences.',
  },
  Denial: { ...says('detail'), description: 'Who asks may not do this, or not now.' },
};
const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (description: string, schema: Json) => ({ description, content: { 'application/json': { schema } } });

const who: Record<May, string> = {
  anyone: 'Anyone may.',
  user: 'Whoever is logged in may.',
  staff: 'Staff may.',
};

const isChange = (method: string) => method !== 'GET';

function securityOf(may: May, method: string, bySession = false): Json[] {
  if (may === 'anyone') return [];
  return [isChange(method) ? { session: [], csrf: [] } : { session: [] }, ...(bySession ? [] : [{ token: [] }])];
}

function failuresOf(call: Pick<Call, 'may' | 'refusal' | 'windowed'>, method: string, path: string, components: Json): Json {
  const refusal = call.refusal ? { anyOf: [refOf('Refusal'), schemaOf(call.refusal, 'output', components)] } : refOf('Refusal');
  return {
    400: answer('Not understood, or refused', refusal),
    ...(call.may !== 'anyone' && { 403: answer('Nobody is logged in, or may not', refOf('Denial')) }),
    404: answer(
      'There is no such thing',
      path.includes('/schedule/') ? { anyOf: [refOf('Denial'), refOf('Refusal')] } : refOf('Refusal'),
    ),
    ...(call.windowed && {
      409: answer('A newer one of the same window (`X-Reelkeep-Window`) took its place', refOf('Refusal')),
    }),
    ...(isChange(method) && {
      413: answer('More than 1 MB', refOf('Refusal')),
      415: answer('Not JSON', refOf('Denial')),
    }),
    429: answer('Too often; Retry-After says when', refOf('Denial')),
    431: answer('More headers than anybody sends', refOf('Refusal')),
    503: answer('The database is busy; Retry-After says when', refOf('Refusal')),
    507: answer('The disk is full', refOf('Refusal')),
  };
}

/** The path of a call as OpenAPI writes it. */
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
    'Where more than 100 videos or 100 GB are deleted: the password of who asks, percent-encoded; how many videos they are, where ' +
    'somebody has no password here (`GET /api/user/confirm/`).',
};

const proof: Json = {
  name: 'X-Reelkeep-Confirm',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The password of who asks, percent-encoded, unless they have logged in within ten minutes.',
};

const windowName: Json = {
  name: 'X-Reelkeep-Window',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: longestWindow },
  description:
    'For pages in which somebody types: any name that is theirs alone. What waits under it answers 409 when something newer is ' +
    'asked for under it. Without it, everything that is asked for is answered in its turn.',
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
    tags: [path.split('/')[2]],
    summary: call.does,
    description: `${who[call.may]}${call.bySession ? ' No API token may.' : ''}${call.strict ? ' Unknown fields are refused.' : ''}`,
    'x-may': call.may,
    ...(call.bySession && { 'x-by-session': true }),
    security: securityOf(call.may, method, call.bySession),
    ...(parameters.length > 0 && { parameters }),
    ...(call.bytes === 'in' && { requestBody: { required: true, content: { 'application/zip': { schema: bytes } } } }),
    ...(call.body && {
      requestBody: {
        required: !call.body.safeParse({}).success,
        content: { 'application/json': { schema: schemaOf(call.body, 'input', components) } },
      },
    }),
    responses: {
      ...(call.reply
        ? { 200: answer('Done', schemaOf(call.reply, 'output', components)) }
        : call.redirects
          ? { 302: { description: 'Go on there' } }
          : call.bytes === 'out'
            ? {
                200: { description: 'The file', content: { 'application/zip': { schema: bytes } } },
                206: { description: 'A part of it', content: { 'application/zip': { schema: bytes } } },
                416: { description: 'Past its end' },
              }
            : { 204: { description: 'Done; there is nothing to say' } }),
      ...failuresOf(call, method, path, components),
    },
  };
}

const bytes: Json = { type: 'string', format: 'binary' };

// What is no call of the table, because it answers with something else than JSON.
function besides(components: Json): Record<string, Json> {
  const get = (summary: string, path: string, type: string, parameters: string[] = []): Json => ({
    operationId: idOf('GET', path),
    tags: [path.split('/')[path.startsWith('/api') ? 2 : 1]],
    summary,
    description: who.user,
    'x-may': 'user',
    security: securityOf('user', 'GET'),
    ...(parameters.length > 0 && {
      parameters: parameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    }),
    responses: {
      200: {
        description: 'Done',
        // Of a stream of events some readers take the schema for that of each event, which OpenAPI 3.1 cannot tell.
        content: {
          [type]: type === 'text/event-stream' ? {} : { schema: { type: type.includes('json') ? 'object' : 'string' } },
        },
      },
      ...(!path.startsWith('/api') && {
        206: { description: 'The part that was asked for' },
        304: { description: 'Unchanged' },
        416: { description: 'The file has no such part' },
      }),
      ...failuresOf({ may: 'user' }, 'GET', path, components),
      429: answer('Too many at once; Retry-After says when', refOf('Denial')),
    },
  });
  const path = ['path'];
  return {
    '/api/events/': get('Server-sent events: what changed, and what is going on', '/api/events/', 'text/event-stream'),
    '/api/schema/': get('This document', '/api/schema/', 'application/json'),
    '/api/docs/': get('This document, to read and to try', '/api/docs/', 'text/html'),
    '/youtube/{path}': get('A media file or its subtitles; byte ranges', '/youtube/', '*/*', path),
    '/media/{path}': get('The same', '/media/', '*/*', path),
    '/cache/{path}': get('A picture', '/cache/', 'image/jpeg', path),
  };
}

let made: Json | undefined;

function make(): Json {
  for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema as z.ZodType, { ...schema.meta(), id });
  const components: Json = { ...shapes };
  const paths: Record<string, Json> = {};
  for (const [name, call] of Object.entries(api as Record<string, Call>)) {
    const [method = '', path = ''] = name.split(' ');
    (paths[openPath(path)] ??= {})[method.toLowerCase()] = operationOf(name, call, components);
  }
  for (const [path, operation] of Object.entries(besides(components))) paths[path] = { get: operation };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Reelkeep',
      version,
      description:
        'Sessions: log in, then send the cookie, and on every change the value of the cookie `csrftoken` as `X-CSRFToken`. ' +
        'Programs: `Authorization: Token …`, from `/api/appsettings/token/`. Times are seconds since 1970 unless they are text.',
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

/** The API in OpenAPI 3.1, as it stands below this path. Made at the first asking, in some 40 ms. */
export const openapi = (basePath = ''): Json => ({ ...(made ??= make()), servers: [{ url: basePath || '/' }] });
