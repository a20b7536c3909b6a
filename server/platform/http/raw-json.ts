/** A value of type T that is already serialized: JSON in UTF-8. `hasLinks` if it contains URLs of files, which are signed for some callers. */
export class RawJson<T> {
  readonly bytes: Uint8Array;
  readonly hasLinks: boolean;
  constructor(bytes: Uint8Array, { hasLinks = false } = {}) {
    this.bytes = bytes;
    this.hasLinks = hasLinks;
  }
  parse(): T {
    return JSON.parse(new TextDecoder().decode(this.bytes)) as T;
  }
}

/** A value of type T that may be serialized already, as a whole or in parts. */
export type WithRawJson<T> =
  | RawJson<T>
  | (T extends (infer E)[] ? WithRawJson<E>[] : T extends object ? { [K in keyof T]: WithRawJson<T[K]> } : T);

const hasRawJson = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof RawJson || (Array.isArray(value) ? value : Object.values(value)).some(hasRawJson);
};

/**
 * Serializes a response: to a text, or to chunks if it contains raw JSON, which is not copied. Values outside raw JSON are
 * serialized like by `JSON.stringify`.
 */
export function serializeResponse(response: unknown): string | Uint8Array[] {
  if (!hasRawJson(response)) return JSON.stringify(response);
  const chunks: Uint8Array[] = [];
  let text = '';
  const write = (value: unknown): void => {
    if (value instanceof RawJson) {
      chunks.push(Buffer.from(text), value.bytes);
      text = '';
    } else if (!hasRawJson(value)) text += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) {
      text += '[';
      for (const [at, one] of value.entries()) {
        if (at > 0) text += ',';
        write(one);
      }
      text += ']';
    } else {
      let separator = '{';
      for (const [key, one] of Object.entries(value as object)) {
        if (one === undefined) continue;
        text += `${separator}${JSON.stringify(key)}:`;
        separator = ',';
        write(one);
      }
      text += '}';
    }
  };
  write(response);
  if (text) chunks.push(Buffer.from(text));
  return chunks;
}
