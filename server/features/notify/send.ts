import { apprise, findApprise } from './apprise.ts';
import { discord } from './discord.ts';
import { gotify } from './gotify.ts';
import { mail } from './mail.ts';
import { matrix } from './matrix.ts';
import type { Notification } from '../../archive/outbox/queue-message.ts';
import { ntfy } from './ntfy.ts';
import { parseUrl } from './parse-url.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import type { Delivery, Service } from './http-request.ts';
import { form, json } from './webhook.ts';
import { withTransport, type TransportConfig } from '../../platform/egress/direct/transport.ts';

// Timeout of all steps: less than the minute after which the outbox allows another attempt.
const totalMs = 45_000;

const services = new Map<string, Service>([
  ['ntfy', ntfy],
  ['ntfys', ntfy],
  ['gotify', gotify],
  ['gotifys', gotify],
  ['discord', discord],
  ['slack', slack],
  ['tgram', telegram],
  ['pover', pushover],
  ['matrix', matrix],
  ['matrixs', matrix],
  ['json', json],
  ['jsons', json],
  ['form', form],
  ['forms', form],
  ['mailto', mail],
  ['mailtos', mail],
]);

/** Returns the delivery for a URL. @throws InvalidUrlError with a message for the user. */
export function deliveryOf(text: string): Delivery {
  const url = parseUrl(text);
  return services.get(url.scheme)?.(url) ?? apprise(url);
}

/** Validates a URL and its requirements without sending. @throws with a message for the user. */
export async function checkUrl(text: string): Promise<void> {
  const url = parseUrl(text);
  if (services.get(url.scheme)?.(url)) return;
  apprise(url);
  await findApprise(url.scheme);
}

/** Sends a message to a URL. @throws InvalidUrlError, ConnectionError or DeliveryError with a message for the user. */
export async function send(config: TransportConfig, url: string, notification: Notification): Promise<void> {
  const deliver = deliveryOf(url);
  await withTransport(config, (transport) => deliver(notification, transport), { signal: AbortSignal.timeout(totalMs) });
}
