import type { Api } from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { message, type Message } from '#contract/messages.ts';
import type { MomentKind } from '#contract/moment-kinds.ts';
import type { FoundVideo, Moment, MomentsQuery } from '#contract/search.ts';
import { startOfUtcDay } from '#contract/utc-day.ts';
import { readSettings } from '../../../archive/settings/store.ts';
import { parseInput } from '../../../archive/sites/parse-input.ts';
import type { AppContext } from '../../../platform/context/app-context.ts';
import { renderMessages } from '../../../platform/messages/render.ts';
import { workerQuery } from '../../../platform/db/worker-query.ts';
import type { Db } from '../../../platform/db/db.ts';
import { HttpError } from '../../../platform/http/http-error.ts';
import { isIndexBehind, readDocuments, videosFound } from '../index/moment-store.ts';
import { readChunks, sourcesOfHits } from '../index/transcript-store.ts';
import type { SearchFilter } from '../index/store.ts';
import { findTags, tagNamed } from '../../tag/store.ts';
import { findMoments, maxOfKind, type Candidate, type Terms } from './find-moments.ts';
import type { FoundPassage } from '../../meaning/nearest.ts';
import { findSimilarPassages, textsOfPassages, type MeaningQuery } from './find-similar-passages.ts';
import { serializeFound, serializeName, serializePassage, serializeSpoken, serializeWritten } from './moment-shape.ts';
import { parseMoments, type ParsedMoments } from './parse-moments.ts';
import { runSearch } from './search.ts';
import type { Searcher } from './search-queue.ts';

const pageSize = 20;
const maxMoments = 3;

interface Sought {
  query: ParsedMoments;
  narrowing: SearchFilter;
  tags: string[];
  ids: string[];
  hasNotes: boolean;
  page: number;
  maxMoments: number;
  /** The question, for a search by meaning. */
  meaning: MeaningQuery | null;
  /** Words are not searched. */
  onlyMeaning: boolean;
}

/** Loads the texts of the moments that are shown; those deleted meanwhile are omitted. */
async function loadMoments(
  db: Db,
  candidates: readonly Candidate[],
  {
    terms,
    passages,
    videos,
  }: { terms: Terms; passages: readonly FoundPassage[]; videos: Awaited<ReturnType<typeof videosFound>> },
) {
  const chunks = await readChunks(
    db,
    candidates.flatMap(({ chunk }) => chunk ?? []),
  );
  const texts = await readDocuments(
    db,
    candidates.flatMap(({ document }) => document ?? []),
  );
  const spoken = candidates.filter(({ chunk, passage }) => chunk !== undefined || passage !== undefined);
  const sourceOf = await sourcesOfHits(db, [...new Set(spoken.map(({ videoId }) => videoId))]);
  const similar = candidates.flatMap(({ passage }) => (passage === undefined ? [] : passages[passage]!));
  const textOfPassage = await textsOfPassages(db, similar);
  const chunkOf = new Map(chunks.map((chunk) => [chunk.number, chunk]));
  const textOf = new Map(texts.map((text) => [text.number, text]));
  const videoOf = new Map(videos.map((video) => [video.id, video]));
  return (candidate: Candidate): Moment[] => {
    const video = videoOf.get(candidate.videoId);
    if (!video) return [];
    if (candidate.chunk !== undefined) {
      const chunk = chunkOf.get(candidate.chunk);
      return chunk ? [serializeSpoken(video, chunk, sourceOf(chunk), terms)] : [];
    }
    if (candidate.passage !== undefined) {
      const passage = passages[candidate.passage]!;
      const said = textOfPassage.get(passage.number);
      return said === undefined ? [] : [serializePassage(video, passage, { text: said, source: sourceOf(passage) })];
    }
    if (candidate.document) {
      const text = textOf.get(candidate.document.number);
      return text ? [serializeWritten(video, text, terms)] : [];
    }
    return [serializeName(video, candidate, terms)];
  };
}

/** Omits passages in which words of the search were found too. */
const withoutRepeated = (moments: Moment[]) =>
  moments.filter(
    ({ is_similar, lang, start, end }) =>
      !is_similar ||
      !moments.some(
        (other) =>
          other.kind === 'spoken' && !other.is_similar && other.lang === lang && other.start! >= start! && other.start! < end!,
      ),
  );

/** Loads one page of videos with their moments. */
export const foundMoments = workerQuery('moments', async (db, sought: Sought) => {
  const { query, tags, page, maxMoments: most, ids, hasNotes, meaning, onlyMeaning } = sought;
  const ownTags = hasNotes ? await findTags(db, sought.narrowing.accountId) : [];
  const narrowing = { ...sought.narrowing, tags: tags.map((name) => ({ name, own: tagNamed(ownTags, name)?.number ?? null })) };
  const passages = meaning ? await findSimilarPassages(db, query, { meaning, narrowing }) : [];
  const { videos, counts, terms, corrections } = await findMoments(db, query, narrowing, {
    ids,
    hasNotes,
    ownTags,
    similar: passages,
    onlySimilar: onlyMeaning,
  });
  const shown = videos.slice((page - 1) * pageSize, page * pageSize).map(({ id, score, moments }) => ({
    id,
    score,
    candidates: moments.slice(0, most),
    more: Math.max(0, moments.length - most),
  }));
  const rows =
    shown.length > 0
      ? await videosFound(
          db,
          shown.map(({ id }) => id),
        )
      : [];
  const momentsOf = await loadMoments(
    db,
    shown.flatMap(({ candidates }) => candidates),
    { terms, passages, videos: rows },
  );
  const found = shown.flatMap(({ id, score, candidates, more }): FoundVideo[] => {
    const video = rows.find((row) => row.id === id);
    return video ? [serializeFound(video, { score, more, moments: withoutRepeated(candidates.flatMap(momentsOf)) })] : [];
  });
  return { videos: found, has_more: videos.length > page * pageSize, counts, corrections, isBehind: await isIndexBehind(db) };
});

/** Returns the ids that a query can mean, if it is one id or address. */
function idsIn(text: string): string[] {
  const word = text.trim();
  if (word === '' || /\s/.test(word)) return [];
  return [...new Set([word, parseInput(word)?.id ?? word])];
}

const latest = (...times: (number | null)[]) => {
  const some = times.filter((time) => time !== null);
  return some.length > 0 ? Math.max(...some) : undefined;
};
const earliest = (...times: (number | null)[]) => {
  const some = times.filter((time) => time !== null);
  return some.length > 0 ? Math.min(...some) : undefined;
};

/** Returns messages as notices, with their English texts. */
export const asNotices = (notices: Message[]) => ({
  notices,
  notice_texts: notices.map((notice) => renderMessages(notice)),
});

/** Says what was not searched although it was asked for. */
async function noticesFor(
  db: Db,
  { kinds }: ParsedMoments,
  { isBehind, onlyMeaning }: { isBehind: boolean; onlyMeaning: boolean },
): Promise<Message[]> {
  const isAsked = (kind: MomentKind) => !onlyMeaning && (kinds === null || kinds.includes(kind));
  const { comment_index: comments } = (await readSettings(db)).downloads;
  return [
    ...(comments === 0 && isAsked('comment') ? [message('search.comments-off')] : []),
    ...(kinds?.includes('screen') && !onlyMeaning ? [message('search.screen-off')] : []),
    ...(isBehind && !onlyMeaning ? [message('search.indexing')] : []),
  ];
}

const activeModelOf = async ({ db }: AppContext) => (await import('../../meaning/active-model.ts')).activeModel(db);

/** Returns whether the model that answers is installed. */
async function isModelThere(app: AppContext): Promise<boolean> {
  const { meaningEngines } = await import('../../meaning/engine.ts');
  return (await meaningEngines[await activeModelOf(app)].find(app)) !== null;
}

/**
 * Searches for moments in a worker, as `search` does.
 * @throws HttpError 409 for a search by meaning while that is off or has no model
 */
export async function searchMoments(
  app: AppContext,
  options: MomentsQuery,
  who: Searcher & { hasNotes: boolean },
  signal?: AbortSignal,
): Promise<Reply<Api['GET /api/search/moments/']>> {
  const isOn = (await readSettings(app.db)).meaning.enabled;
  if (options.mode !== 'words' && !isOn) throw new HttpError(409, message('error.meaning-off'));
  const text = options.query ?? '';
  const parsed = parseMoments(text);
  const query: ParsedMoments = {
    ...parsed,
    kinds: options.in?.filter((kind) => parsed.kinds?.includes(kind) ?? true) ?? parsed.kinds,
    lang: options.lang?.toLowerCase() ?? parsed.lang,
  };
  const narrowing: SearchFilter = {
    accountId: who.accountId,
    from: latest(parsed.from, options.after === undefined ? null : startOfUtcDay(options.after)),
    to: earliest(parsed.to, options.before === undefined ? null : startOfUtcDay(options.before)! - 1),
    min_duration: options.min_duration,
    max_duration: options.max_duration,
    type: options.type,
    watched: options.watched ?? parsed.watched ?? undefined,
    video: options.video,
    channel: options.channel,
    playlist: options.playlist,
  };
  const { meaning, notices } =
    options.mode === 'words'
      ? { meaning: null, notices: [] }
      : await (await import('./ask-by-meaning.ts')).askByMeaning(app, text, query);
  // Without the model, `both` finds words.
  const onlyMeaning = options.mode === 'meaning';
  const isLate = notices.some(({ id }) => id === 'search.meaning-late');
  // Without a vector, the only other notice is that the engine is missing.
  if (onlyMeaning && !meaning && !isLate && notices.length > 0) throw new HttpError(409, notices);
  const sought: Sought = {
    meaning,
    onlyMeaning: onlyMeaning && !isLate,
    query,
    narrowing,
    tags: [...parsed.tags, ...(options.tag === undefined ? [] : [options.tag])],
    ids: idsIn(text),
    hasNotes: who.hasNotes,
    page: Math.max(1, options.page),
    maxMoments: options.video === undefined ? maxMoments : maxOfKind,
  };
  const { isBehind, ...found } = await runSearch(app, who, (db) => foundMoments(db, sought), signal);
  // The passages of this model may be gone: the other one answers.
  if (meaning && (await activeModelOf(app)) !== meaning.files.model) return searchMoments(app, options, who, signal);
  const isNothing = onlyMeaning && meaning !== null && found.videos.length === 0 && sought.page === 1;
  return {
    ...found,
    has_meaning: isOn && (await isModelThere(app)),
    ...asNotices([
      ...(isNothing ? [message('search.meaning-nothing')] : []),
      ...notices,
      ...(await noticesFor(app.db, query, { isBehind, onlyMeaning: sought.onlyMeaning })),
    ]),
  };
}
