import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Call, Contract, Received } from '#contract/call.ts';
import type { Archive } from '../archive.ts';

/** Who makes the call. */
export interface User {
  id: number;
  name: string;
  isStaff: boolean;
  /** From the person's own settings. */
  pageSize: number;
  /** SHA-256 of the API token that the person came with; null when they came with a session. */
  tokenHash: string | null;
}

/** What a handler gets beside the parsed request. */
interface Around {
  /** The caller; on calls that anyone may make it is not read. */
  user: User;
  url: URL;
  request: FastifyRequest;
  reply: FastifyReply;
}

export type Handler<C extends Call> = (request: Received<C> & Around, archive: Archive) => Answer<C> | Promise<Answer<C>>;
type Handlers<C> = { [K in keyof C]: C[K] extends Call ? Handler<C[K]> : never };

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  call: Call;
  handle: Handler<Call>;
}

/** Joins a contract with its handlers. A call without a handler, or a handler without a call, does not compile. */
export function routes<C extends Contract>(contract: C, handlers: Handlers<C>): Route[] {
  return Object.entries(contract).map(([name, call]) => {
    const [method, path] = name.split(' ') as [Route['method'], string];
    return { method, path, call, handle: handlers[name as keyof C] as unknown as Handler<Call> };
  });
}
