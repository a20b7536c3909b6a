import { message } from '#contract/messages.ts';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../../context/app-context.ts';
import type { Events, Listener, Topic } from '../../context/events.ts';
import { authenticate, isStillAuthenticated } from '../auth/authenticate.ts';
import { tooMany } from '../http-error.ts';

const heartbeatMs = 15_000;
const maxPerUser = 8;
// A browser with this much unsent data is disconnected; it reconnects and reloads its data.
const maxUnsentBytes = 1024 * 1024;

/** Pending events of one recipient. Of several events with the same key only the last is sent. */
function pendingEvents() {
  const topics = new Set<Topic>();
  const messages = new Map<string, string>();
  return {
    topics,
    say: (key: string, event: string, data: unknown) => messages.set(key, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    take() {
      if (topics.size > 0) this.say('changed', 'changed', { topics: [...topics] });
      const text = [...messages.values()].join('');
      topics.clear();
      messages.clear();
      return text;
    },
  };
}

// At most four messages per second; events within 10 ms are combined.
const minIntervalMs = 250;
const gatheredMs = 10;

/** Creates the sender of the event streams. The first event after a pause is sent immediately, later ones are combined. */
export function createBroadcaster(): Events {
  const listeners = new Set<Listener>();
  const forAll = pendingEvents();
  const forStaff = pendingEvents();
  const forOthers = pendingEvents();
  const forOne = new Map<number, ReturnType<typeof pendingEvents>>();
  let timer: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;

  const send = (listener: Listener, text: string) => {
    if (text === '') return;
    if (listener.response.writableLength > maxUnsentBytes) listener.response.destroy();
    else listener.response.write(text);
  };
  const flush = () => {
    timer = undefined;
    sentAt = performance.now();
    const toAll = forAll.take();
    const [toStaff, toOthers] = [forStaff.take(), forOthers.take()];
    const own = new Map([...forOne].map(([accountId, one]) => [accountId, one.take()]));
    forOne.clear();
    for (const listener of listeners)
      send(listener, toAll + (listener.isStaff ? toStaff : toOthers) + (own.get(listener.accountId) ?? ''));
  };
  const schedule = () => (timer ??= setTimeout(flush, Math.max(gatheredMs, sentAt + minIntervalMs - performance.now())));
  const of = (accountId: number) => {
    const one = forOne.get(accountId) ?? pendingEvents();
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
    announce(...topics) {
      if (listeners.size === 0) return;
      for (const topic of topics) forAll.topics.add(topic);
      schedule();
    },
    announceTo(accountId, ...topics) {
      if (countOf(accountId) === 0) return;
      for (const topic of topics) of(accountId).topics.add(topic);
      schedule();
    },
    playerChanged(accountId, change) {
      if (countOf(accountId) === 0) return;
      of(accountId).say(`player ${change.youtube_id}`, 'player', change);
      schedule();
    },
    arrived(video) {
      if (listeners.size === 0) return;
      forAll.say(`arrived ${video.youtube_id}`, 'arrived', video);
      schedule();
    },
    notices(now) {
      if (listeners.size === 0) return;
      forStaff.say('notices', 'notices', now.forStaff);
      forOthers.say('notices', 'notices', now.forOthers);
      schedule();
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

/** `GET /api/events/`: server-sent events for authenticated users. */
export function registerEventStream(server: FastifyInstance, app: AppContext) {
  const { events } = app;
  server.get('/api/events/', { exposeHeadRoute: false, config: { may: 'user', isLongLived: true } }, async (request, reply) => {
    const user = await authenticate(app, { may: 'user' }, request, reply);
    if (!user) return;
    if (events.countOf(user.id) >= maxPerUser) throw tooMany(message('error.too-many-pages'), 60);
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform', // lower case, to replace the header set before
      'x-accel-buffering': 'no',
    });
    response.write('retry: 2000\n\n');
    const stop = events.listen({
      accountId: user.id,
      isStaff: user.isStaff,
      response,
      // A temporary database error does not end the stream.
      isStillIn: () => isStillAuthenticated(app, request, user).catch(() => true),
    });
    response.on('close', stop);
  });
}
