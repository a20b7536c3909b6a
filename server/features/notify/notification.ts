import type { Notification } from '../../archive/outbox/queue-message.ts';

/** Collapses text to one line, for use in a header, a subject or an argument. */
export const oneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\s\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ')
    .trim();

/** Truncates to `max` characters, with an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** Truncates to `max` bytes of UTF-8, between characters. */
export function shortenBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const cut = Buffer.from(text)
    .subarray(0, max - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}…`;
}

/** Encodes an HTTP header value: one line, non-ASCII text as in RFC 2047. */
export function headerText(text: string): string {
  const line = oneLine(text);
  return /^[\x20-\x7E]*$/.test(line) ? line : `=?UTF-8?B?${Buffer.from(line).toString('base64')}?=`;
}

/** Joins title and body, for services without titles. */
export const titleAndBody = ({ title, body }: Notification): string => `${oneLine(title)}\n${body}`;
