// Values of JSON and SQL that another program or a site has written: any of them can have another type than expected.

export type JsonObject = Record<string, unknown>;

/** Whether a value is an object, and not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOrNull = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);

export const objectOrEmpty = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Returns a text as it is; null if it is blank, or no text. */
export const nonBlank = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** Returns a text or number as text that both databases can store: bounded, without NUL and lone surrogates. Null if it is blank. */
export function storableText(value: unknown, maxLength = 1_000_000): string | null {
  if (typeof value !== 'bigint' && !Number.isFinite(value) && typeof value !== 'string') return null;
  return nonBlank(String(value).replaceAll('\0', '').slice(0, maxLength).toWellFormed());
}

/** Whether a value of SQL or JSON is true. */
export const isTrue = (value: unknown): boolean =>
  value === true || value === 1 || value === 1n || value === '1' || value === 'true';
