/** What is told. */
export interface Message {
  /** The same for every attempt, so that a receiver that can tell doubles does. */
  id: string;
  title: string;
  body: string;
  kind: 'info' | 'success' | 'failure';
  /** The name of the task that ended. */
  task: string | null;
  /** When it happened, epoch seconds. */
  at: number;
}

/** Text in one line: what a title must be before it goes into a header, a subject or an argument. */
export const oneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\s\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, ' ')
    .trim();

/** At most `max` characters; what is cut is shown by an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** At most `max` bytes of UTF-8, cut between characters. */
export function shortenBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const cut = Buffer.from(text)
    .subarray(0, max - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}…`;
}

/** A value for an HTTP header: one line, and beyond ASCII as RFC 2047 says. */
export function headerText(text: string): string {
  const line = oneLine(text);
  return /^[\x20-\x7E]*$/.test(line) ? line : `=?UTF-8?B?${Buffer.from(line).toString('base64')}?=`;
}

/** Title and body as one text, for services that know no titles. */
export const asText = ({ title, body }: Message): string => `${oneLine(title)}\n${body}`;
