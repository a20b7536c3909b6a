import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fresh from 'fresh';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { message } from '#contract/messages.ts';
import { podcastCalls, type Podcast } from '#contract/podcast.ts';
import type { Chapter } from '#contract/video.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import { isSignatureOf, originOf } from '../../platform/http/auth/secret-address.ts';
import { archiveAddress } from '../../archive/settings/archive-address.ts';
import { attachmentHeader, sendFile, sendStoredFile } from '../../platform/http/files/files.ts';
import { placeholderImage } from '../../platform/http/files/placeholder-image.ts';
import { forbidden, HttpError, notFound, tooMany } from '../../platform/http/http-error.ts';
import type { CreateLimiter } from '../../platform/http/limiter.ts';
import { routes } from '../../platform/http/route.ts';
import { xml, xmlDocument } from '../../platform/lib/xml.ts';
import { decodeText } from '../../platform/media/read-text.ts';
import { cuesOfVtt } from '../../platform/media/subtitle.ts';
import { StorageError } from '../../platform/storage/file-store.ts';
import { renditionsFolder } from '../../archive/storage/rendition-files.ts';
import { signingKeyFor } from '../../platform/security/sign-text.ts';
import { renditionSizes } from '../rendition/rendition-cache.ts';
import { waitForM4a, type WantedM4a } from '../rendition/wait-for-m4a.ts';
import { findVideoSource, type VideoSource } from '../smart-list/video-source.ts';
import { findCover } from './cover.ts';
import { extensionOf, type Episode } from './find-episodes.ts';
import { readFeed, signedText } from './read-feed.ts';
import { createFeed, deleteFeed, listFeeds, openFeed, secretOf, type OpenFeed } from './store.ts';
import { findNamedVideo, sendAs, sendVideoFile } from './video-files.ts';
import { setNewest } from '../../platform/lib/set-newest.ts';
import { closedSignal } from '../../platform/http/closed-signal.ts';

// Most apps read one page only.
const pageSize = 1000;
const requestsPerMinute = 60;
// Requests of one person that wait for audio.
const maxWaiting = 4;
const maxRemembered = 1000;

declare module '../../platform/context/app-state.ts' {
  interface AppState {
    podcasts: PodcastState;
  }
}

interface PodcastState {
  /** Requests by feed. */
  limit: RateLimiterAbstract;
  /** Requests that wait for audio, by account. */
  waiting: Map<number, number>;
  /** Since when a page has its content: ETag and time by address, oldest first. */
  modified: Map<string, { etag: string; at: number }>;
}

export const createPodcastState = (createLimiter: CreateLimiter): PodcastState => ({
  limit: createLimiter({ keyPrefix: 'podcast', points: requestsPerMinute, duration: 60 }),
  waiting: new Map(),
  modified: new Map(),
});

const urlOf = (origin: string, secret: string) => `${origin}/podcast/${secret}/feed.xml`;
const purpose = 'podcast episodes';

/** Version 5 UUID of a text in the namespace of podcast GUIDs. */
function guidOf(text: string): string {
  const namespace = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');
  const hash = createHash('sha1').update(namespace).update(text).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Counts a request of a feed. @throws 429 above the limit */
async function countRequest({ state }: AppContext, { number }: OpenFeed): Promise<void> {
  const { consumedPoints, msBeforeNext } = await state.podcasts.limit.penalty(String(number));
  if (consumedPoints > requestsPerMinute) throw tooMany(message('error.feed-requests'), msBeforeNext / 1000);
}

/** @throws 410 if the target of a feed was deleted, or its owner may no longer see it */
async function sourceOf({ db }: AppContext, feed: OpenFeed): Promise<VideoSource> {
  const source = await findVideoSource(db, feed.viewer, feed.type, feed.targetId);
  if (!source) throw new HttpError(410, message('error.link-target-gone'));
  return source;
}

/** Returns the time from which on a page has this content, as far as the server knows. */
function modifiedAt({ state, now }: AppContext, key: string, etag: string): number {
  const { modified } = state.podcasts;
  const known = modified.get(key);
  if (known?.etag === etag) return known.at;
  setNewest(modified, key, { etag, at: now() }, maxRemembered);
  return now();
}

/** Waits for the audio of a video. @throws 429 if too many requests of this account wait */
async function waitInTurn(app: AppContext, accountId: number, wanted: WantedM4a, signal: AbortSignal): Promise<string> {
  const { waiting } = app.state.podcasts;
  const before = waiting.get(accountId) ?? 0;
  if (before >= maxWaiting) throw tooMany(message('error.feed-audio-busy'), 60);
  waiting.set(accountId, before + 1);
  try {
    return await waitForM4a(app, wanted, signal);
  } finally {
    const left = waiting.get(accountId)! - 1;
    if (left > 0) waiting.set(accountId, left);
    else waiting.delete(accountId);
  }
}

/** Returns what the lengths of audio files are read from. They are estimated while a bucket does not answer. */
const findRenditions = async (app: AppContext, { media }: OpenFeed): Promise<string | Record<string, number>> => {
  if (!app.files.isRemote) return renditionsFolder(app);
  return media === 'audio' ? renditionSizes(app).catch(() => ({})) : {};
};

const json = (value: unknown) => JSON.stringify(value);

/** Podcasting 2.0 chapters: https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md */
const chaptersJson = ({ chapters }: Episode) =>
  json({
    version: '1.2.0',
    chapters: (JSON.parse(chapters) as Chapter[]).map(({ title, start, end }) => ({ startTime: start, endTime: end, title })),
  });

/** Podcasting 2.0 transcript in JSON. */
async function transcriptJson({ files }: AppContext, path: string): Promise<string> {
  const file = await files.read(path).catch((error: unknown) => {
    throw error instanceof StorageError ? error : notFound('error.file');
  });
  const segments = cuesOfVtt(decodeText(await buffer(file))).map(({ start, end, text: body }) => ({
    startTime: start,
    endTime: end,
    body,
  }));
  return json({ version: '1.0.0', segments });
}

export const podcastRoutes = routes(podcastCalls, {
  'GET /api/podcast/': async ({ user, request }, app) => {
    const feeds: Podcast[] = [];
    const address = await archiveAddress(app, request);
    for (const feed of await listFeeds(app, user.id)) {
      const source = await findVideoSource(app.db, user, feed.type, feed.targetId);
      feeds.push({
        id: feed.number,
        type: feed.type,
        target: feed.targetId || null,
        media: feed.media,
        name: source?.name ?? null,
        url: user.tokenHash === null ? urlOf(address, secretOf(app, feed)) : null,
        created: feed.createdAt,
        last_used: feed.lastUsedAt,
      });
    }
    return feeds;
  },

  'POST /api/podcast/': async ({ body, user, request }, app) => {
    const { type, id = '', media } = body;
    if (!(await findVideoSource(app.db, user, type, id)))
      throw notFound(type === 'channel' ? 'error.channel' : type === 'playlist' ? 'error.playlist' : 'error.smart-list');
    const { number, secret } = await createFeed(app, user.id, { type, id, media });
    app.events.announceTo(user.id, 'podcast');
    return { id: number, url: urlOf(await archiveAddress(app, request), secret) };
  },

  'DELETE /api/podcast/:id/': async ({ params, user }, app) => {
    if (!(await deleteFeed(app, user.id, params.id))) throw notFound('error.feed');
    app.events.announceTo(user.id, 'podcast');
  },

  'GET /api/podcast/opml/': async ({ user, request, reply }, app) => {
    const outlines = [];
    const address = await archiveAddress(app, request);
    for (const feed of await listFeeds(app, user.id)) {
      const source = await findVideoSource(app.db, user, feed.type, feed.targetId);
      if (!source) continue;
      const text = feed.media === 'audio' ? source.name : `${source.name} (video)`;
      const xmlUrl = urlOf(address, secretOf(app, feed));
      outlines.push(xml('outline', { type: 'rss', text, title: text, xmlUrl, htmlUrl: `${address}/` }));
    }
    const head = xml('head', {}, xml('title', {}, 'Reelkeep'), xml('dateCreated', {}, new Date(app.now() * 1000).toUTCString()));
    void reply
      .type('text/x-opml; charset=utf-8')
      .header('Content-Disposition', attachmentHeader('reelkeep.opml'))
      .send(xmlDocument(xml('opml', { version: '2.0' }, head, xml('body', {}, ...outlines))));
  },

  'GET /podcast/:secret/feed.xml/': async ({ params, query, request, reply }, app) => {
    const feed = await openFeed(app, params.secret);
    await countRequest(app, feed);
    const source = await sourceOf(app, feed);
    const page = Math.max(1, query.page);
    const origin = originOf(request);
    const found = await readFeed(app.db, {
      accountId: feed.accountId,
      filter: source.filter,
      page,
      pageSize,
      feed: {
        title: source.name,
        description: source.description,
        author: source.author,
        type: feed.type,
        media: feed.media,
        sound: query.sound,
        guid: guidOf([feed.secretHash, query.sound].filter(Boolean).join(' ')),
        url: urlOf(origin, params.secret),
        link: origin,
        coverUrl: `${origin}/podcast/${params.secret}/cover.jpg`,
      },
      feedNumber: feed.number,
      filesUrl: `${origin}/podcast/${params.secret}`,
      signingKey: signingKeyFor(app.keys.present, purpose),
      renditions: await findRenditions(app, feed),
    });
    if (!found) throw notFound('error.path');
    const { bytes, etag } = found;
    const modified = new Date(modifiedAt(app, `${feed.number} ${page} ${query.sound} ${origin}`, etag) * 1000).toUTCString();
    reply.headers({ ETag: etag, 'Last-Modified': modified, 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' });
    reply.type('application/rss+xml; charset=utf-8');
    if (fresh(request.headers, { etag, 'last-modified': modified })) void reply.code(304).send();
    else void reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  },

  'GET /podcast/:secret/cover.jpg/': async ({ params, request, reply }, app) => {
    const feed = await openFeed(app, params.secret);
    const path = await findCover(app, feed, await sourceOf(app, feed));
    if (path) {
      sendAs({ request, reply, accountId: feed.accountId });
      await sendFile(request, reply, path);
    } else void reply.type('image/jpeg').header('Cache-Control', 'private, no-cache').send(placeholderImage('film'));
  },

  'GET /podcast/:secret/:video/:signature/:name/': async ({ params, request, reply }, app) => {
    const feed = await openFeed(app, params.secret);
    // An episode that was listed once stays available, also when a smart list no longer contains it.
    const text = signedText(feed.number, params.video);
    if (!isSignatureOf(app, purpose, { text, signature: params.signature })) throw forbidden('error.link-invalid');
    const { video, rest } = await findNamedVideo(app, params.video, params.name);
    const sending = { request, reply, accountId: feed.accountId };
    reply.header('Cross-Origin-Resource-Policy', 'cross-origin');
    const subtitle = video.subtitles.find(({ lang }) => rest === `.${lang}.json`);
    const { audio } = video;
    const isOtherSound = audio && rest === `.${audio.language}.m4a`;
    const isFirstSound = audio && rest === '.m4a' && extensionOf(video) !== '.m4a';
    if (rest === '.chapters.json') void reply.type('application/json+chapters').send(chaptersJson(video));
    else if (subtitle) void reply.type('application/json; charset=utf-8').send(await transcriptJson(app, subtitle.path));
    else if (isOtherSound || isFirstSound) {
      const path = await waitInTurn(
        app,
        feed.accountId,
        { id: video.id, ...(isOtherSound && { track: audio.position }) },
        closedSignal(reply.raw),
      );
      await sendStoredFile(app, sendAs(sending), path, { counts: true });
    } else await sendVideoFile(app, sending, { video, rest });
  },
});
