import { apprise, findApprise } from './apprise.ts';
import { discord } from './discord.ts';
import { gotify } from './gotify.ts';
import { mail } from './mail.ts';
import { matrix } from './matrix.ts';
import type { Message } from './message.ts';
import { ntfy } from './ntfy.ts';
import { parseUrl } from './parse-url.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import type { Delivery, Service } from './tell.ts';
import { form, json } from './webhook.ts';
import { withWay, type WayConfig } from './way.ts';

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

/** How a message gets to where a URL says. Throws BadUrl, with a sentence, for what cannot be meant. */
export function deliveryOf(text: string): Delivery {
  const url = parseUrl(text);
  return services.get(url.scheme)?.(url) ?? apprise(url);
}

/** Throws, with a sentence, when a URL cannot be meant or what it needs is not there. Nothing is sent. */
export async function checkUrl(text: string): Promise<void> {
  const url = parseUrl(text);
  if (services.get(url.scheme)?.(url)) return;
  apprise(url);
  await findApprise(url.scheme);
}

/** Sends a message to where a URL says. Throws BadUrl or NotSent, with a sentence. */
export async function send(config: WayConfig, url: string, message: Message): Promise<void> {
  const deliver = deliveryOf(url);
  await withWay(config, (way) => deliver(message, way));
}
