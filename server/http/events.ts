import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Notification } from '#contract/task.ts';
import type { Archive, Room } from '../archive.ts';
import { admit } from './guard.ts';
import { tooMany } from './problem.ts';

const heartbeatMs = 15_000;
const mostPerPerson = 8;
// A browser that does not read falls behind by this much and is let go; it comes back by itself and asks anew.
const mostUnsentBytes = 1024 * 1024;

interface Listener {
  accountId: number;
  response: ServerResponse;
}

/** Those who listen: tells every open browser what changed. */
export interface Events {
  announce(...rooms: Room[]): void;
  notices(notices: Notification[]): void;
  listen(listener: Listener): () => void;
  countOf(accountId: number): number;
  /** How many browsers listen. */
  count(): number;
  close(): void;
}

/** Opens the event stream's sending side. Changes are gathered for a quarter of a second: four messages a second at most. */
export function openEvents(): Events {
  const listeners = new Set<Listener>();
  const changed = new Set<Room>();
  let notices: Notification[] | undefined;
  let timer: NodeJS.Timeout | undefined;

  const send = (text: string) => {
    for (const { response } of listeners) {
      if (response.writableLength > mostUnsentBytes) response.destroy();
      else response.write(text);
    }
  };
  const flush = () => {
    timer = undefined;
    if (changed.size > 0) send(`event: changed\ndata: ${JSON.stringify({ rooms: [...changed] })}\n\n`);
    if (notices) send(`event: notices\ndata: ${JSON.stringify(notices)}\n\n`);
    changed.clear();
    notices = undefined;
  };
  const soon = () => {
    if (listeners.size > 0) timer ??= setTimeout(flush, 250);
  };
  const heart = setInterval(() => send(': still here\n\n'), heartbeatMs).unref();

  return {
    announce(...rooms) {
      for (const room of rooms) changed.add(room);
      soon();
    },
    notices(now) {
      notices = now;
      soon();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    countOf: (accountId) => [...listeners].filter((listener) => listener.accountId === accountId).length,
    count: () => listeners.size,
    close() {
      clearInterval(heart);
      clearTimeout(timer);
      for (const { response } of listeners) response.end();
      listeners.clear();
    },
  };
}

/** `GET /api/events/`: server-sent events for whoever is logged in. */
export function eventStream(app: FastifyInstance, archive: Archive) {
  const { events } = archive;
  app.get('/api/events/', { exposeHeadRoute: false, config: { may: 'user', lasts: true } }, async (request, reply) => {
    const user = await admit(archive, 'user', request, reply);
    if (!user) return;
    if (events.countOf(user.id) >= mostPerPerson)
      throw tooMany('Too many open pages listen for changes; this one asks from time to time instead.', 60);
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    const stop = events.listen({ accountId: user.id, response });
    response.on('close', stop);
  });
}
