import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../child/find-program.ts';
import { ChildFailed, run } from '../child/run.ts';
import { scratchFolder } from '../child/scratch.ts';
import { decoded } from '../decoded.ts';
import { isAddress, isLocalName } from '../egress/address.ts';
import { openGate } from '../egress/gate.ts';
import { oneLine, shorten } from './message.ts';
import { BadUrl, NotSent } from './not-sent.ts';
import type { NotifyUrl } from './parse-url.ts';
import { isLocalAddress, localRanges, meantHost } from './reach.ts';
import type { Delivery } from './tell.ts';
import { timeMs, type Way } from './way.ts';

// These act on the machine that Apprise runs on.
const actsHere = ['file', 'syslog', 'dbus', 'qt', 'kde', 'glib', 'gio', 'gnome', 'windows', 'macosx', 'blink1'];
const namesThem = new RegExp(`(?<![a-z\\d])(?:${actsHere.join('|')}):/`, 'i');
// These do not speak HTTP, so the gate does not see them and their host is judged beforehand.
const speaksOtherwise = /^(mqtt|rsyslog|irc|xmpp|amqp|smpp|growl|aprs|deltachat)s?$/;

// Apprise decodes some parts twice.
function decodedFully(text: string): string {
  for (let times = 0, before = text; times < 5; times++, before = text) {
    text = decoded(text);
    if (text === before) break;
  }
  return text;
}

const isOfThisMachine = (value: string) => /^\s*(file:|[/~\\]|[a-z]:\\)|(^|[/\\])\.\.([/\\]|$)/i.test(decodedFully(value));

function refuse({ text, scheme, query, fields }: NotifyUrl) {
  if (actsHere.includes(scheme) || namesThem.test(text) || namesThem.test(decodedFully(text)))
    throw new BadUrl(`${scheme}:// would act on the server itself, which notifications may not do.`);
  // Templates, keys and plug-ins would be read from the server's disk.
  const path = [...query, ...fields].find(([, value]) => isOfThisMachine(value));
  if (path) throw new BadUrl(`?${path[0]}= names a file on the server, which notifications may not read.`);
}

/** The Apprise program's path; throws NotSent, naming it, when it is not there. */
export async function findApprise(scheme: string): Promise<string> {
  const program = await findProgram('apprise');
  if (program) return program;
  throw new NotSent(
    `${scheme}:// needs the program Apprise, which is not installed here. Install it (pip install apprise), so that it is found on the PATH.`,
  );
}

/** A gate for this one run: the internet as for everything else, and the local network. */
async function gateFor({ host, port }: NotifyUrl, { config, reach }: Way) {
  const meant = meantHost(host) ?? '';
  const isLocal = meant !== '' && (isAddress(meant) ? isLocalAddress(meant) : isLocalName(meant));
  return openGate({
    allow: [...config.allowPrivate, ...localRanges, ...(isLocal ? [meant] : [])],
    ports: port === null ? [] : [port],
    insecure: config.proxyInsecure,
    ...(config.proxyUrl && !isLocal && { upstream: config.proxyUrl }),
    lookup: reach.addressesOf,
  });
}

// What it last said may name pieces of the URL, and those are secrets.
function withoutSecrets(words: string, { text }: NotifyUrl): string {
  const pieces = new Set([text, ...text.split(/[^\w.-]+/), ...decodedFully(text).split(/[^\w.-]+/)]);
  const secrets = [...pieces].filter((piece) => piece.length > 3).sort((a, b) => b.length - a.length);
  return shorten(oneLine(secrets.reduce((said, secret) => said.replaceAll(secret, '***'), words)), 300);
}

/**
 * Every scheme that is none of ours goes to the Apprise program. It gets the URL in a file that only we may read, the body
 * on stdin, no shell, 15 seconds, and the gate as its proxy; nothing of the URL stands among its arguments. Throws BadUrl
 * for what would act on, or read from, the server itself.
 */
export function apprise(url: NotifyUrl): Delivery {
  refuse(url);
  return async ({ title, body, kind }, way) => {
    const program = await findApprise(url.scheme);
    const meant = meantHost(url.host);
    // A token that stands in the host's place is not for the resolver to hear.
    if (meant && (isAddress(meant) || meant.includes('localhost') || speaksOtherwise.test(url.scheme)))
      await way.reach.addressesOf(meant);
    const folder = await scratchFolder();
    const gate = await gateFor(url, way);
    try {
      const config = join(folder, 'apprise.conf');
      await writeFile(config, `${url.text}\n`, { mode: 0o600 });
      const args = [`--config=${config}`, '--tag=all', `--title=${oneLine(title)}`, `--notification-type=${kind}`, '--'];
      const env = { http_proxy: gate.url, https_proxy: gate.url };
      await run(program, args, { cwd: folder, env, input: body, timeMs, signal: AbortSignal.timeout(2 * timeMs) });
    } catch (error) {
      if (!(error instanceof ChildFailed)) throw error;
      if (error.reason === 'missing') throw new NotSent('The program Apprise could not be started.');
      if (error.reason !== 'exit') throw new NotSent(`Apprise took longer than ${timeMs / 1000} seconds and was stopped.`);
      const words = withoutSecrets(error.lastWords, url);
      throw new NotSent(`Apprise could not deliver it${words ? `: ${words}` : '.'}`);
    } finally {
      await gate.close();
      await rm(folder, { recursive: true, force: true });
    }
  };
}
