import { originOf, parseUrl } from './parse-url.ts';

export const mask = '****';

// In all other schemes, the host part is a token, a topic or an account.
const withHost = /^(json|xml|form|gotify|ntfy|matrix|mailto)s?$/;

/**
 * Returns a notification URL for display: the service and, if the host part is a host, the host and user. Tokens, passwords,
 * topics, paths and parameters are masked.
 */
export function maskUrl(text: string): string {
  try {
    const url = parseUrl(text);
    const isTopic = url.scheme.startsWith('ntfy') && url.path.length === 0;
    if (!withHost.test(url.scheme) || isTopic) return `${url.scheme}://${mask}`;
    const { scheme, user, password, path, query, headers, params, fields } = url;
    // A user name without a password is a token.
    const who = user === null ? '' : password === null ? `${mask}@` : `${user}:${mask}@`;
    const isMore = [query, headers, params, fields].some(({ size }) => size > 0);
    const host = originOf(url).replace(/^https?:\/\//, '');
    const shown = `${scheme}://${who}${host}${path.length > 0 ? `/${mask}` : ''}${isMore ? `?${mask}` : ''}`;
    return isMasked(shown) ? shown : url.text;
  } catch {
    return mask;
  }
}

/** Returns whether a URL is a masked one from the display. */
export const isMasked = (url: string) => url.includes(mask);
