/** What every part of the site gets and gives. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Catalogue, Trouble } from '#standin/catalogue.ts';

/** One request, wherever the proxy was told it goes. `host` is without the port and in lower case. */
export interface Visit {
  method: string;
  host: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a part of the site may look at. */
export interface Ground {
  catalogue: Catalogue;
  /** Where generated files are kept. */
  mediaFolder: string;
  /** The visitor carries the cookie of a person who may see everything. */
  isLoggedIn?: boolean;
  /** How often each file was cut already, by its URL's id and itag. */
  cuts: Map<string, number>;
}

/** A text or bytes, a file (ranges are honoured), or a connection that is dropped or never answers. */
export type Answer =
  | { status?: number; type: string; body: string | Buffer; headers?: Record<string, string> }
  | { file: string; type: string; trouble?: Trouble; cutKey?: string }
  | { silence: 'dropped' | 'stalled' };

export function json(value: unknown, status = 200): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

export function html(body: string, status = 200): Answer {
  return { status, type: 'text/html; charset=utf-8', body };
}

export function text(body: string, type = 'text/plain; charset=utf-8', status = 200): Answer {
  return { status, type, body };
}

export function notFound(): Answer {
  return html('<!doctype html><title>404 Not Found</title>', 404);
}

/** For HTML text and attributes alike. */
export function escapeHtml(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
