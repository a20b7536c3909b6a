/** Request, context and response types of the test site. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Catalogue, VideoFault } from './catalogue.ts';

/** A request to the proxy. `host` is in lower case without the port. */
export interface SiteRequest {
  method: string;
  host: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Context of a request handler. */
export interface SiteContext {
  catalogue: Catalogue;
  /** Folder of generated files. */
  mediaFolder: string;
  /** The request has the cookie of a user who may see everything. */
  isLoggedIn?: boolean;
  /** How often each file was cut, by the id and itag of its URL. */
  cuts: Map<string, number>;
}

/** A text or bytes, a file (with ranges), or a connection that is dropped or stalled. */
export type Answer =
  | { status?: number; type: string; body: string | Buffer; headers?: Record<string, string> }
  | { file: string; type: string; fault?: VideoFault; cutKey?: string }
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

/** For HTML text and attributes. */
export function escapeHtml(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
