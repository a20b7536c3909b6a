import { message } from '#contract/messages.ts';
import type { ProxyFetch } from '../egress/fetch.ts';
import { nonBlank, objectOrEmpty, type JsonObject } from '../lib/untrusted.ts';
import { MessageError } from '../messages/message-error.ts';
import { parseJson } from './token-source.ts';

// What YouTube needs to trust a challenge program: https://github.com/LuanRT/BgUtils. Facts of the protocol, no documentation
// of Google exists.

export const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const challengeUrl = 'https://www.youtube.com/youtubei/v1/att/get?prettyPrint=false';
const integrityUrl = 'https://jnn-pa.googleapis.com/$rpc/google.internal.waa.v1.Waa/GenerateIT';
const requestKey = 'O43z0dpjhgX20SCx4KAo';
// The public key of the site, the same for every visitor.
const apiKey = 'AIzaSyDyT5W0Jh49F30Pqqtyfdf7pDLFKLJoAnw';
const defaultContext = { client: { clientName: 'WEB', clientVersion: '2.20260114.08.00', hl: 'en', gl: 'US' } };

const scriptHost = /(^|\.)(google|youtube|gstatic)\.com$/;
const maxScript = 2_000_000;
const maxResponse = 1_000_000;

/** A program and its interpreter. */
export interface Challenge {
  interpreter: string;
  program: string;
  globalName: string;
}

interface Connection {
  fetch: ProxyFetch;
  signal: AbortSignal;
}

const invalid = (reason: string) => new MessageError(message('pot.no-challenge', { reason }));

/** Returns the text of a response. @throws MessageError without content of the response, which may contain secrets */
async function load({ fetch, signal }: Connection, url: string, init: Parameters<ProxyFetch>[1] = {}): Promise<string> {
  const { hostname } = new URL(url);
  const headers = { 'user-agent': userAgent, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(url, { maxBytes: maxResponse, ...init, headers, signal }).catch((error: Error) => {
    throw invalid(error instanceof MessageError ? error.message : `${hostname} could not be reached`);
  });
  if (!response.ok) throw invalid(`${hostname}: HTTP ${response.status}`);
  return response.text().catch(() => {
    throw invalid(`${hostname}: the response is too large or incomplete`);
  });
}

function scriptUrl(challenge: JsonObject): string {
  const { privateDoNotAccessOrElseTrustedResourceUrlWrappedValue: found } = objectOrEmpty(challenge['interpreterUrl']);
  const text = nonBlank(found) ?? '';
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url?.protocol !== 'https:' || !scriptHost.test(url.hostname)) throw invalid('the address of the interpreter');
  return url.href;
}

async function requestChallenge(connection: Connection, context: object): Promise<JsonObject> {
  const body = JSON.stringify({ context, engagementType: 'ENGAGEMENT_TYPE_UNBOUND' });
  const headers = { 'content-type': 'application/json' };
  const text = await load(connection, challengeUrl, { method: 'POST', headers, body });
  return objectOrEmpty(objectOrEmpty(parseJson(text))['bgChallenge']);
}

/** Loads the challenge of a watch page, or a new one, with its interpreter. @throws MessageError */
export async function loadChallenge(
  connection: Connection,
  { context = defaultContext, challenge }: { context?: object | undefined; challenge?: object | undefined },
): Promise<Challenge> {
  const found = objectOrEmpty(challenge ?? (await requestChallenge(connection, context)));
  const [program, globalName] = [nonBlank(found['program']), nonBlank(found['globalName'])];
  if (!program || !globalName) throw invalid('no program');
  const interpreter = await load(connection, scriptUrl(found), { maxBytes: maxScript });
  return { interpreter, program, globalName };
}

/** Exchanges the result of a program for an integrity token. Returns it with the seconds until another one is needed. */
export async function loadIntegrityToken(
  connection: Connection,
  result: string,
): Promise<{ integrityToken: string; validSeconds: number }> {
  const headers = {
    'content-type': 'application/json+protobuf',
    'x-goog-api-key': apiKey,
    'x-user-agent': 'grpc-web-javascript/0.1',
  };
  const body = JSON.stringify([requestKey, result]);
  const reply = parseJson(await load(connection, integrityUrl, { method: 'POST', headers, body }));
  const [integrityToken, lifetime, threshold] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (!nonBlank(integrityToken)) throw invalid('GenerateIT: no integrity token');
  const seconds = (Number(lifetime) || 0) - (Number(threshold) || 0);
  return { integrityToken: integrityToken as string, validSeconds: Math.min(12 * 3600, Math.max(60, seconds)) };
}
