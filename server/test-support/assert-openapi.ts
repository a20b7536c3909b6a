import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi } from '../platform/http/openapi/openapi.ts';

// Checks every response of a test against the OpenAPI description, so that code and description cannot diverge.

type Json = Record<string, unknown>;
interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const document = openapi() as { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(document as Json, 'api');

const paths = Object.keys(document.paths)
  .sort((a, b) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0)) // paths without parameters take precedence
  .map((path) => {
    const pattern = path.replaceAll('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
    return { path, pattern: new RegExp(`^${pattern.replace(/\/$/, '/?')}$`) };
  });

const escapePointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** A response as sent. */
interface SentResponse {
  method: string;
  /** Requested path without the query. */
  path: string;
  status: number;
  /** Parsed body of a JSON response, else undefined. */
  body: unknown;
}

/** Returns how a response differs from the description; null if it matches or its path is not described. */
export function openapiMismatch({ method, path, status, body }: SentResponse): string | null {
  const known = paths.find(({ pattern }) => pattern.test(path));
  const operation = known && document.paths[known.path]?.[method.toLowerCase()];
  if (!operation) return null;
  const label = `${method} ${known.path} → ${status}`;
  const documented = operation.responses[String(status)];
  if (!documented) return `${label}: no such answer is documented. It was ${JSON.stringify(body)?.slice(0, 300)}`;
  if (documented.content && !documented.content['application/json']) return null;
  if (!documented.content) return body === undefined ? null : `${label}: it has a body, and should not`;
  const segments = ['paths', known.path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema'];
  const name = `api#/${segments.map((part) => encodeURIComponent(escapePointer(String(part)))).join('/')}`;
  const validate = ajv.getSchema(name);
  if (!validate) return `${label}: its shape cannot be found`;
  return validate(body) ? null : `${label}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)?.slice(0, 300)}`;
}
