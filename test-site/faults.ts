import { type Answer, html, type SiteRequest } from './answer.ts';
import type { Fault } from './catalogue.ts';

/** Returns the faulty response of the first matching fault with repetitions left, and decrements them; null if none matches. */
export function applyFault(request: SiteRequest, faults: Fault[]): Answer | null {
  const fault = faults.find(
    ({ host, path, times }) =>
      request.host.endsWith(host ?? '') && request.url.pathname.startsWith(path ?? '') && (times ?? 1) > 0,
  );
  if (!fault) return null;
  if (fault.times !== undefined) fault.times -= 1;
  switch (fault.does) {
    case 'dropped':
    case 'stalled':
      return { silence: fault.does };
    case 'notJson':
      return html('<!doctype html><title>Before you continue</title>');
    case 'forbidden':
      return html('Forbidden', 403);
    case 'serverError':
      return html('Internal Server Error', 500);
    case 'tooMany': {
      const headers: Record<string, string> =
        fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
      return { status: 429, type: 'text/html', body: 'Too Many Requests', headers };
    }
  }
}
