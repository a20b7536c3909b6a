/** What Google offers for proofs of origin: a challenge, its interpreter, and integrity tokens for the right result. */
import { type Answer, json, notFound, type SiteContext, type SiteRequest, text } from '../answer.ts';

const program = 'test-program';
const interpreterPath = '/js/th/test-interpreter.js';

// The interface of the real program: `a()` gets a callback that receives the function that takes a snapshot. The minter appends the
// content binding to the integrity token. The result says whether a browser is there.
const interpreter = `globalThis.testBotguard = { a: (program, ready) => ready((done, [, , signals]) => {
  signals[0] = async (integrity) => async (binding) => Uint8Array.of(...integrity, ...binding);
  done(document.createElement('div').tagName + ':' + navigator.userAgent.slice(0, 7) + ':' + program);
}) };`;
const rightResult = `DIV:Mozilla:${program}`;
const integrity = 'proof:';

/** Returns what a token is bound to, or null if it is not one of the test site. */
export function bindingOf(token: string): string | null {
  const decoded = Buffer.from(token, 'base64url').toString();
  return decoded.startsWith(integrity) ? decoded.slice(integrity.length) : null;
}

/** Response of youtubei/v1/att/get. */
export const attestationChallenge = (): Answer =>
  json({
    bgChallenge: {
      interpreterUrl: { privateDoNotAccessOrElseTrustedResourceUrlWrappedValue: `//www.google.com${interpreterPath}` },
      interpreterHash: 'test',
      program,
      globalName: 'testBotguard',
    },
  });

/** www.google.com and jnn-pa.googleapis.com. */
export function botguard({ method, url, body }: SiteRequest, { catalogue }: SiteContext): Answer {
  if (url.pathname === interpreterPath) return text(catalogue.interpreter ?? interpreter, 'text/javascript');
  if (method !== 'POST' || !url.pathname.endsWith('/GenerateIT')) return notFound();
  const [, result] = JSON.parse(body) as [string, string];
  if (result !== rightResult) return json([null, 0, 0], 400);
  return json([Buffer.from(integrity).toString('base64'), ...(catalogue.integritySeconds ?? [43_200, 3600])]);
}
