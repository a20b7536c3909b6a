import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call, Contract, Received, Scope } from '#contract/endpoint.ts';
import type { AppContext } from '../context/app-context.ts';
import type { WithRawJson } from './raw-json.ts';

/** The caller. */
export interface User {
  id: number;
  name: string;
  isStaff: boolean;
  /** From the user's settings. */
  pageSize: number;
  /** SHA-256 of the API token; null with a session. */
  tokenHash: string | null;
  /** Scopes of a named API token; null: no limit. */
  scopes: readonly Scope[] | null;
}

/** Additional arguments of a handler. */
interface HandlerContext {
  /** The caller; not set for public endpoints. */
  user: User;
  url: URL;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<C extends Call> = (
  request: Received<C> & HandlerContext,
  app: AppContext,
) => WithRawJson<Answer<C>> | Promise<WithRawJson<Answer<C>>>;
type Handlers<C> = { [K in keyof C]: C[K] extends Call ? Handler<C[K]> : never };

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  call: Call;
  handle: Handler<Call>;
}

/**
 * Routes whose handlers are loaded at the first request, for features that most archives do not use. `load` imports those of
 * `routes` with the same contract.
 */
export const lazyRoutes = (contract: Contract, load: () => Promise<Route[]>): Route[] =>
  Object.entries(contract).map(([name, call]) => {
    const [method, path] = name.split(' ') as [Route['method'], string];
    const handle: Route['handle'] = async (received, app) => {
      const loaded = (await load()).find((route) => route.method === method && route.path === path);
      return loaded!.handle(received, app);
    };
    return { method, path, call, handle };
  });

/** Joins a contract with its handlers. A missing or extra handler does not compile. */
export function routes<C extends Contract>(contract: C, handlers: Handlers<C>): Route[] {
  return Object.entries(contract).map(([name, call]) => {
    const [method, path] = name.split(' ') as [Route['method'], string];
    return { method, path, call, handle: handlers[name as keyof C] as unknown as Handler<Call> };
  });
}
