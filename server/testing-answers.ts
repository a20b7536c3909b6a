import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openapi } from './http/openapi.ts';

// Holds every answer of a test against the API's own description, so that the two cannot drift apart.

type Json = Record<string, unknown>;
interface Operation {
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const document = openapi() as { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(document as Json, 'api');

const paths = Object.keys(document.paths)
  .sort((a, b) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0)) // what has no parameter goes before what has
  .map((path) => {
    const pattern = path.replaceAll('{path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
    return { path, pattern: new RegExp(`^${pattern.replace(/\/$/, '/?')}$`) };
  });

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** An answer, as it went out. */
interface Told {
  method: string;
  /** As it was asked for, without the query. */
  path: string;
  status: number;
  /** What a JSON answer says; undefined of all others. */
  body: unknown;
}

/** Why an answer is not as the description says; null when it is, or when it is none of a call. */
export function misfitOf({ method, path, status, body }: Told): string | null {
  const known = paths.find(({ pattern }) => pattern.test(path));
  const operation = known && document.paths[known.path]?.[method.toLowerCase()];
  if (!operation) return null;
  const where = `${method} ${known.path} → ${status}`;
  const documented = operation.responses[String(status)];
  if (!documented) return `${where}: no such answer is documented. It was ${JSON.stringify(body)?.slice(0, 300)}`;
  if (!documented.content?.['application/json']) return body === undefined ? null : `${where}: it has a body, and should not`;
  const place = ['paths', known.path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema'];
  const name = `api#/${place.map((part) => encodeURIComponent(escaped(String(part)))).join('/')}`;
  const fits = ajv.getSchema(name);
  if (!fits) return `${where}: its shape cannot be found`;
  return fits(body) ? null : `${where}: ${ajv.errorsText(fits.errors)} in ${JSON.stringify(body)?.slice(0, 300)}`;
}
