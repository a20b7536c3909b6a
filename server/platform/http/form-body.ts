import type { IncomingHttpHeaders } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { z } from 'zod';
import { ValidationError } from './validate.ts';

// Bodies as `application/x-www-form-urlencoded` and `multipart/form-data`, by the rules of Django REST framework, whose default
// parsers TubeArchivist has: of a repeated field the last value counts, or all of them if a list is expected; `a.b` and `a[0]b`
// are nested fields; an empty text is null or absent if the field allows it. Files in a form are ignored.

export const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

const maxFields = 1000;

/** The fields of a form in their order. `formToObject` interprets them by the schema of the endpoint. */
export class Form {
  readonly fields: readonly (readonly [name: string, value: string])[];
  constructor(fields: Form['fields']) {
    this.fields = fields;
  }
}

const unreadable = (why: string) => new ValidationError({ detail: `Form parse error - ${why}` }, 'The form cannot be read.');

/**
 * Parses a form.
 * @throws ValidationError if it is malformed
 */
export function parseForm(headers: IncomingHttpHeaders, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const fail = (error: unknown) => reject(unreadable((error as Error).message));
    try {
      const parser = new Busboy({
        headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
        limits: { fieldNameSize: 200, fields: maxFields + 1, parts: maxFields + 1 },
      });
      parser.on('field', (name, value) => void fields.push([name, value]));
      parser.on('error', fail);
      parser.on('finish', () => {
        if (fields.length > maxFields) reject(unreadable(`more than ${maxFields} fields`));
        else resolve(new Form(fields));
      });
      parser.end(body);
    } catch (error) {
      fail(error); // multipart without a boundary
    }
  });
}

/** Returns the schema without optional, nullable and transform wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { def } = schema as z.ZodType & { def: { innerType?: z.ZodType; in?: z.ZodType } };
  const inner = def.innerType ?? def.in;
  return inner ? unwrap(inner) : schema;
}

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

function valueOf(fields: Form['fields'], name: string, schema: z.ZodType): unknown {
  const plain = fields.filter(([key]) => key === name).map(([, value]) => value);
  const { def } = unwrap(schema) as z.ZodType & { def: { type: string; element?: z.ZodType; shape?: Record<string, z.ZodType> } };
  if (def.element) return listOf(fields, name, def.element) ?? (plain.length > 0 ? plain : undefined);
  if (def.shape) return below(fields, `${name}.`, unwrap(schema)) ?? plain.at(-1);
  const value = plain.at(-1);
  if (value !== '' || takes(schema, '')) return value;
  return takes(schema, null) ? null : takes(schema, undefined) ? undefined : value;
}

/** Returns the list whose items are sent as `name[0]`, `name[0]field` or `name[0].field`. */
function listOf(fields: Form['fields'], name: string, element: z.ZodType): unknown[] | undefined {
  const items = new Map<number, [string, string][]>();
  for (const [key, value] of fields) {
    const [, index, remainder = ''] =
      (key.startsWith(`${name}[`) && /^\[(\d{1,6})\]\.?(.*)$/s.exec(key.slice(name.length))) || [];
    if (index !== undefined) items.getOrInsertComputed(Number(index), () => []).push([remainder, value]);
  }
  if (items.size === 0) return undefined;
  const inOrder = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  return inOrder.map((item) => (item.some(([remainder]) => remainder !== '') ? objectFrom(item, element) : item.at(-1)?.[1]));
}

function below(fields: Form['fields'], prefix: string, schema: z.ZodType): object | undefined {
  const inside = fields
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value] as const);
  return inside.length > 0 ? objectFrom(inside, schema) : undefined;
}

function objectFrom(fields: Form['fields'], schema: z.ZodType): Record<string, unknown> {
  const { shape = {} } = (unwrap(schema) as z.ZodType & { def: { shape?: Record<string, z.ZodType> } }).def;
  const object: Record<string, unknown> = Object.create(null);
  for (const [name, of] of Object.entries(shape)) {
    const value = valueOf(fields, name, of);
    if (value !== undefined) object[name] = value;
  }
  const isKnown = (key: string) =>
    Object.keys(shape).some((name) => key === name || key.startsWith(`${name}.`) || key.startsWith(`${name}[`));
  for (const [key, value] of fields) if (!isKnown(key)) object[key] = value; // left to the schema to ignore or reject
  return object;
}

/** Converts a form to the object that the endpoint accepts as JSON. */
export const formToObject = ({ fields }: Form, schema: z.ZodType): Record<string, unknown> => objectFrom(fields, schema);
