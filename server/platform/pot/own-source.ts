import { message } from '#contract/messages.ts';
import type { ProxyFetch } from '../egress/fetch.ts';
import { MessageError } from '../messages/message-error.ts';
import { loadChallenge, loadIntegrityToken, userAgent } from './attestation.ts';
import { startBotguard, type Botguard, type BotguardLimits } from './botguard.ts';
import { readToken, type TokenRequest, type TokenSource } from './token-source.ts';

export interface OwnSourceOptions {
  /** fetch() through the forward proxy. The process that runs the program has no network. */
  fetch: ProxyFetch;
  limits?: BotguardLimits;
  /** The process ends after this time without a request, in milliseconds. Default: five minutes. */
  idleMs?: number;
  /** Epoch milliseconds. */
  now?: () => number;
}

/** A process whose program YouTube trusts until `expiresAt`. */
interface Minter {
  botguard: Botguard;
  createdAt: number;
  expiresAt: number;
}

const defaultIdleMs = 300_000;

/** Creates PO tokens: a sandboxed process runs the challenge program, this process makes the requests. */
export function createOwnSource({
  fetch,
  limits,
  idleMs = defaultIdleMs,
  now = Date.now,
}: OwnSourceOptions): TokenSource & { pid(): number | null } {
  let botguard: Botguard | null = null;
  let minter: Minter | null = null;
  let creating: Promise<Minter> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let requests = 0;

  async function end() {
    const ended = botguard;
    botguard = null;
    minter = null;
    await ended?.end();
  }

  async function create(request: TokenRequest, signal: AbortSignal): Promise<Minter> {
    await end();
    const challenge = await loadChallenge({ fetch, signal }, request);
    const started = (botguard = await startBotguard(userAgent, limits));
    const result = await started.send({ load: challenge });
    const { integrityToken, validSeconds } = await loadIntegrityToken({ fetch, signal }, result);
    await started.send({ integrityToken });
    const createdAt = now();
    minter = { botguard: started, createdAt, expiresAt: createdAt + validSeconds * 1000 };
    return minter;
  }

  const usable = () => (minter && !minter.botguard.hasEnded() && now() < minter.expiresAt ? minter : null);
  const minterFor = async (request: TokenRequest, signal: AbortSignal) =>
    usable() ?? (creating ??= create(request, signal).finally(() => (creating = null)));

  return {
    pid: () => botguard?.pid ?? null,
    async request(request, signal) {
      clearTimeout(idle);
      requests++;
      try {
        const { botguard: process, createdAt } = await minterFor(request, signal);
        const token = readToken(await process.send({ mint: request.binding }));
        if (!token) throw new MessageError(message('pot.program-failed', { reason: 'not a token' }));
        return { token, createdAt };
      } catch (error) {
        await end();
        throw error;
      } finally {
        if (--requests === 0) idle = setTimeout(end, idleMs).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await end();
      await creating?.catch(() => undefined);
      await end();
    },
  };
}
