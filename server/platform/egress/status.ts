/**
 * HTTP status codes that only the forward proxy sends. Both are unassigned (RFC 9110, IANA registry), so a program that reports
 * one of them was stopped by the proxy and not by a site.
 */
export const proxyStatus = { refused: 470, nameNotFound: 471 } as const;
