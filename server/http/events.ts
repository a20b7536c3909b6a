import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Arrival, PlayerChange } from '#contract/events.ts';
import type { Notification } from '#contract/task.ts';
import type { Archive, Room } from '../archive.ts';
import { admit, isStillIn } from './guard.ts';
import { tooMany } from './problem.ts';

const heartbeatMs = 15_000;
const mostPerPerson = 8;
// A browser that does not read falls behind by this much and is let go; it comes back by itself and asks anew.
const mostUnsentBytes = 1024 * 1024;

interface Listener {
  accountId: number;
  response: ServerResponse;
  /** Whether what they came with would still let them in. */
  isStillIn(): Promise<boolean>;
}

/** Those who listen: tells every open browser what changed. The events and what they carry stand in contract/events.ts. */
export interface Events {
  announce(...rooms: Room[]): void;
  /** What is one person's own changed: only they hear of it, on each of their devices. */
  announceTo(accountId: number, ...rooms: Room[]): void;
  /** A person's place in a video moved, or it became watched. */
  playerChanged(accountId: number, change: PlayerChange): void;
  arrived(video: Arrival): void;
  notices(notices: Notification[]): void;
  listen(listener: Listener): () => void;
  countOf(accountId: number): number;
  /** Lets go of everybody who listens as this person. A browser that may listen still comes back by itself. */
  dismiss(accountId: number): void;
  /** Lets go of those whose login has ended, also by itself or by another program; done with every heartbeat. */
  dismissEnded(): Promise<void>;
  /** How many browsers listen. */
  count(): number;
  close(): void;
}

/** What waits to be told to somebody. Of one thing only the last word is told. */
function waiting() {
  const rooms = new Set<Room>();
  const said = new Map<string, string>();
  return {
    rooms,
    say: (key: string, event: string, data: unknown) => said.set(key, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    take() {
      if (rooms.size > 0) this.say('changed', 'changed', { rooms: [...rooms] });
      const text = [...said.values()].join('');
      rooms.clear();
      said.clear();
      return text;
    },
  };
}

// Four messages a second at most; what happens together is told together.
const leastMsBetween = 250;
const gatheredMs = 10;

/** Opens the event stream's sending side. What happens after a rest is told at once; what follows is gathered. */
export function openEvents(): Events {
  const listeners = new Set<Listener>();
  const forAll = waiting();
  const forOne = new Map<number, ReturnType<typeof waiting>>();
  let timer: NodeJS.Timeout | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;

  const send = (listener: Listener, text: string) => {
    if (text === '') return;
    if (listener.response.writableLength > mostUnsentBytes) listener.response.destroy();
    else listener.response.write(text);
  };
  const flush = () => {
    timer = undefined;
    toldAt = performance.now();
    const toAll = forAll.take();
    const own = new Map([...forOne].map(([accountId, one]) => [accountId, one.take()]));
    forOne.clear();
    for (const listener of listeners) send(listener, toAll + (own.get(listener.accountId) ?? ''));
  };
  const soon = () => (timer ??= setTimeout(flush, Math.max(gatheredMs, toldAt + leastMsBetween - performance.now())));
  const of = (accountId: number) => {
    const one = forOne.get(accountId) ?? waiting();
    forOne.set(accountId, one);
    return one;
  };
  const countOf = (accountId: number) => [...listeners].filter((listener) => listener.accountId === accountId).length;
  const dismissEnded = async () => {
    for (const listener of listeners) if (!(await listener.isStillIn())) listener.response.end();
  };
  const heart = setInterval(() => {
    for (const listener of listeners) send(listener, ': still here\n\n');
    void dismissEnded();
  }, heartbeatMs).unref();

  return {
    announce(...rooms) {
      if (listeners.size === 0) return;
      for (const room of rooms) forAll.rooms.add(room);
      soon();
    },
    announceTo(accountId, ...rooms) {
      if (countOf(accountId) === 0) return;
      for (const room of rooms) of(accountId).rooms.add(room);
      soon();
    },
    playerChanged(accountId, change) {
      if (countOf(accountId) === 0) return;
      of(accountId).say(`player ${change.youtube_id}`, 'player', change);
      soon();
    },
    arrived(video) {
      if (listeners.size === 0) return;
      forAll.say(`arrived ${video.youtube_id}`, 'arrived', video);
      soon();
    },
    notices(now) {
      if (listeners.size === 0) return;
      forAll.say('notices', 'notices', now);
      soon();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    countOf,
    dismiss(accountId) {
      for (const listener of listeners) if (listener.accountId === accountId) listener.response.end();
    },
    dismissEnded,
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
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform', // in lower case, as those before: else it would be sent beside theirs
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    const stop = events.listen({
      accountId: user.id,
      response,
      // A database that is busy just now says nothing about a login.
      isStillIn: () => isStillIn(archive, request, user).catch(() => true),
    });
    response.on('close', stop);
  });
}
