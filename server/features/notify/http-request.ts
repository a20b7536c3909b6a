import { message } from '#contract/messages.ts';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { DeliveryError } from './errors.ts';
import { objectOrEmpty } from '../../platform/lib/untrusted.ts';
import { messagesOf } from '../../platform/messages/message-error.ts';
import type { NotifyUrl } from './parse-url.ts';
import type { TransportResponse, TransportRequest, Transport } from '../../platform/egress/direct/transport.ts';

/** Sends a message to the target of one URL. @throws DeliveryError */
export type Delivery = (notification: Notification, way: Transport) => Promise<void>;

/** Parses the URL for a service. Returns null if only the Apprise program supports this form. @throws InvalidUrlError */
export type Service = (url: NotifyUrl) => Delivery | null;

/** Sends a request. @throws ConnectionError, or DeliveryError if the response status is not a success. */
export async function sendRequest(way: Transport, what: TransportRequest): Promise<TransportResponse> {
  const answer = await way.ask(what);
  if (answer.status < 200 || answer.status > 299)
    throw new DeliveryError(message('notify.status', { host: new URL(what.url).host, status: answer.status }));
  return answer;
}

/** Sends JSON; see `sendRequest`. */
export const sendJson = (way: Transport, { body, headers, ...what }: Omit<TransportRequest, 'body'> & { body: object }) =>
  sendRequest(way, { ...what, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

/** Parses a JSON response. Returns an empty object if it is not JSON. */
export function readJson({ text }: TransportResponse): Record<string, unknown> {
  try {
    return objectOrEmpty(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Sends to each recipient; a failure does not stop the others. */
export async function sendToEach<T>(recipients: T[], send: (recipient: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const recipient of recipients) await send(recipient).catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  if (failures.length === recipients.length) throw failures[0];
  const about = { failed: failures.length, count: recipients.length, why: messagesOf(failures[0]) };
  throw new DeliveryError(message('notify.partial', about), { isPartial: true });
}
