import { message } from '#contract/messages.ts';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../platform/process/find-program.ts';
import { ProcessError, run } from '../../platform/process/run.ts';
import { createTempDir } from '../../platform/process/temp-dir.ts';
import { safeDecodeUri } from '../../platform/lib/safe-decode-uri.ts';
import { isAddress, isLocalName } from '../../platform/egress/ip-classification.ts';
import { openForwardProxy } from '../../platform/egress/forward-proxy.ts';
import { oneLine, shorten } from './notification.ts';
import { InvalidUrlError, DeliveryError } from './errors.ts';
import type { NotifyUrl } from './parse-url.ts';
import { isLocalAddress, localRanges, normalizedHost } from '../../platform/egress/direct/network-policy.ts';
import type { Delivery } from './http-request.ts';
import { timeMs, type Transport } from '../../platform/egress/direct/transport.ts';

// These schemes act on the machine that runs Apprise.
const actsHere = ['file', 'syslog', 'dbus', 'qt', 'kde', 'glib', 'gio', 'gnome', 'windows', 'macosx', 'blink1'];
const namesThem = new RegExp(`(?<![a-z\\d])(?:${actsHere.join('|')}):/`, 'i');
// These schemes do not use HTTP and bypass the forward proxy, so their host is checked beforehand.
const speaksOtherwise = /^(mqtt|rsyslog|irc|xmpp|amqp|smpp|growl|aprs|deltachat)s?$/;

// Apprise decodes some parts twice.
function decodedFully(text: string): string {
  for (let times = 0, before = text; times < 5; times++, before = text) {
    text = safeDecodeUri(text);
    if (text === before) break;
  }
  return text;
}

const isOfThisMachine = (value: string) => /^\s*(file:|[/~\\]|[a-z]:\\)|(^|[/\\])\.\.([/\\]|$)/i.test(decodedFully(value));

function refuse({ text, scheme, query, fields }: NotifyUrl) {
  if (actsHere.includes(scheme) || namesThem.test(text) || namesThem.test(decodedFully(text)))
    throw new InvalidUrlError(message('notify.acts-on-server', { scheme }));
  // Paths in these parameters (templates, keys, plug-ins) would read files of the server.
  const path = [...query, ...fields].find(([, value]) => isOfThisMachine(value));
  if (path) throw new InvalidUrlError(message('notify.local-file', { name: path[0] }));
}

/** Returns the path of the Apprise program. @throws DeliveryError if it is not installed. */
export async function findApprise(scheme: string): Promise<string> {
  const program = await findProgram('apprise');
  if (program) return program;
  throw new DeliveryError(message('notify.apprise-missing', { scheme }));
}

/** Opens a forward proxy for one run of Apprise. It allows the internet as usual, and the local network. */
async function gateFor({ host, port }: NotifyUrl, { config, reach }: Transport) {
  const meant = normalizedHost(host) ?? '';
  const isLocal = meant !== '' && (isAddress(meant) ? isLocalAddress(meant) : isLocalName(meant));
  return openForwardProxy({
    allow: [...config.allowPrivate, ...localRanges, ...(isLocal ? [meant] : [])],
    ports: port === null ? [] : [port],
    insecure: config.proxyInsecure,
    ...(config.proxyUrl && !isLocal && { upstream: config.proxyUrl }),
    lookup: reach.addressesOf,
  });
}

// Masks parts of the URL in the error output, because they can be secrets.
function withoutSecrets(words: string, { text }: NotifyUrl): string {
  const pieces = new Set([text, ...text.split(/[^\w.-]+/), ...decodedFully(text).split(/[^\w.-]+/)]);
  const secrets = [...pieces].filter((piece) => piece.length > 3).sort((a, b) => b.length - a.length);
  return shorten(oneLine(secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), words)), 300);
}

/**
 * Delivers all schemes without a built-in service through the Apprise program. It gets the URL in a file with mode 0600, the body
 * on stdin, no shell, the forward proxy and 15 seconds; its arguments contain nothing of the URL. @throws InvalidUrlError for
 * URLs that act on, or read from, the server.
 */
export function apprise(url: NotifyUrl): Delivery {
  refuse(url);
  return async ({ title, body, kind }, way) => {
    const program = await findApprise(url.scheme);
    const meant = normalizedHost(url.host);
    // The host part can be a token, which must not be sent to a DNS resolver.
    if (meant && (isAddress(meant) || meant.includes('localhost') || speaksOtherwise.test(url.scheme)))
      await way.reach.addressesOf(meant);
    const folder = await createTempDir();
    const gate = await gateFor(url, way);
    try {
      const config = join(folder, 'apprise.conf');
      await writeFile(config, `${url.text}\n`, { mode: 0o600 });
      const args = [`--config=${config}`, '--tag=all', `--title=${oneLine(title)}`, `--notification-type=${kind}`, '--'];
      const env = { http_proxy: gate.url, https_proxy: gate.url };
      await run(program, args, { cwd: folder, env, input: body, timeMs, signal: AbortSignal.timeout(2 * timeMs) });
    } catch (error) {
      if (!(error instanceof ProcessError)) throw error;
      if (error.reason === 'missing') throw new DeliveryError(message('notify.apprise-start'));
      if (error.reason !== 'exit') throw new DeliveryError(message('notify.apprise-slow', { seconds: timeMs / 1000 }));
      const words = withoutSecrets(error.lastWords, url);
      throw new DeliveryError(words ? message('notify.apprise-output', { words }) : message('notify.apprise-failed'));
    } finally {
      await gate.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
}
