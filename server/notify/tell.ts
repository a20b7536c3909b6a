import type { Message } from './message.ts';
import { NotSent } from './not-sent.ts';
import type { NotifyUrl } from './parse-url.ts';
import type { Answer, Ask, Way } from './way.ts';

/** Sends a message to where one URL says. Throws NotSent. */
export type Delivery = (message: Message, way: Way) => Promise<void>;

/** Reads what a URL means to its service: throws BadUrl; null when only the Apprise program understands this form of it. */
export type Service = (url: NotifyUrl) => Delivery | null;

/** Asks, and throws NotSent when the answer is not that all is well. */
export async function call(way: Way, what: Ask): Promise<Answer> {
  const answer = await way.ask(what);
  if (answer.status < 200 || answer.status > 299) throw new NotSent(`${new URL(what.url).host} answered with ${answer.status}.`);
  return answer;
}

/** Sends JSON; see `call`. */
export const callJson = (way: Way, { body, headers, ...what }: Omit<Ask, 'body'> & { body: object }) =>
  call(way, { ...what, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

/** Reads an answer that should be JSON; an empty object when it is none. */
export function readJson({ text }: Answer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Tells each of several recipients; one that fails keeps nobody else from hearing. */
export async function tellEach<T>(recipients: T[], tell: (recipient: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const recipient of recipients) await tell(recipient).catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  if (failures.length === recipients.length) throw failures[0];
  const why = failures[0] instanceof Error ? failures[0].message : String(failures[0]);
  throw new NotSent(`${failures.length} of ${recipients.length} recipients could not be told: ${why}`, { isPartial: true });
}
