import { momentKinds, type MomentKind } from '#contract/moment-kinds.ts';
import type { Db } from '../../../platform/db/db.ts';
import { estimateDocuments, findDocuments, isFewVideos, publishedOf, readDocuments } from '../index/moment-store.ts';
import type { MomentDocument } from '../index/moment-store.ts';
import { placeOf } from '../index/index-transcripts.ts';
import { findVideoRows, type SearchFilter } from '../index/store.ts';
import { isFewTracks, videosOfTracks } from '../index/transcript-store.ts';
import { all, any, type Expression } from '../text/fts-expression.ts';
import { accountToken, channelToken, kindToken, languageToken, sourceToken } from '../text/filter-tokens.ts';
import { noteSpace, type TermSpace } from '../text/term-dictionary.ts';
import { tokenize } from '../text/tokenizer.ts';
import type { OwnTag } from '../../tag/store.ts';
import { channelsNamed, correctionsOf, lookUp, scoreOf, without, type Correction } from './find-by-name.ts';
import { rankChunks } from './find-transcripts.ts';
import type { ParsedMoments } from './parse-moments.ts';
import { exactly, expressionOf, queryTermsOf, wordLists, type QueryTerm } from './query-terms.ts';
import { findOwnTagged } from './find-own-tagged.ts';
import { occurrences, scoreTranscript } from './score.ts';

// Each kind of text gives up to `maxOfKind` candidates in its own order. Their scores cannot be compared between kinds, so they are
// merged by reciprocal rank fusion (Cormack et al. 2009): a candidate scores weight / (60 + rank).

/** Most candidates of a kind. */
export const maxOfKind = 200;
// The first documents are compared word by word; reading and splitting more would take longer than the index.
const maxCompared = 48;
// Words in more documents than this need not be in a match that has rarer ones: comparing their lists takes longest.
const commonShare = 0.05;
// Up to so many matches of all kinds of documents are all of them.
const maxTogether = 600;
const writtenKinds = ['title', 'chapter', 'description', 'comment', 'note'] as const;
const rankOffset = 60;
const weights: Record<MomentKind, number> = {
  title: 3,
  note: 2.5,
  tag: 2,
  chapter: 2,
  spoken: 1,
  description: 0.8,
  screen: 0.8,
  comment: 0.5,
};
// A video with matches of two kinds comes before one with a single match of the first.
const shareOfSecond = 0.3;
// A line of a transcript may be cut between two chunks, so hits need not contain all terms.
const leastShare = 0.6;

/** Something that matches. */
export interface Candidate {
  kind: MomentKind;
  videoId: string;
  /** Chunk of a transcript. */
  chunk?: number;
  document?: MomentDocument;
  /** Place among the passages that are similar in meaning. */
  passage?: number;
  /** Private tags of the caller that match. */
  ownTags?: string[];
}

interface RankedCandidate extends Candidate {
  score: number;
}

/** A video with its moments, best first. */
interface RankedVideo {
  id: string;
  score: number;
  moments: RankedCandidate[];
}

/** The terms of a search in the dictionaries. */
export interface Terms {
  names: QueryTerm[];
  spoken: QueryTerm[];
  written: QueryTerm[];
  /** In the notes of the caller; none if the caller may not read them. */
  noted: QueryTerm[];
}

interface Sought {
  terms: Terms;
  excluded: QueryTerm[];
  /** Channels that are named in the query; null: all. */
  channels: string[] | null;
  query: ParsedMoments;
  narrowing: SearchFilter;
  /** The caller may read notes. */
  hasNotes: boolean;
  /** Private tags of the caller. */
  ownTags: readonly OwnTag[];
}

async function termsOf(db: Db, { terms, phrases }: ParsedMoments, notes: TermSpace | null): Promise<Terms> {
  const words = wordLists(terms);
  const required = wordLists(phrases).map(exactly);
  const inSpace = async (space: TermSpace) => [
    ...required,
    // Of millions of comments, those with each of many similar words would be looked through.
    ...(await queryTermsOf(db, space, words, {
      fuzzy: space === 'n' || space === 'l' ? 'auto' : 'unknown',
      endsOpen: space === 'n',
    })),
  ];
  return {
    names: await inSpace('n'),
    spoken: await inSpace('l'),
    written: await inSpace('m'),
    noted: notes ? await inSpace(notes) : [],
  };
}

const ofChannels = (channels: string[] | null, field?: 'd'): Expression | null => {
  const holds = channels && any(channels.map((id) => ({ words: [channelToken(id)] })));
  return holds && field ? { field, holds } : holds;
};

/** Finds videos whose current title, or whose tags, have all terms. */
async function findNamed(db: Db, kind: 'title' | 'tag', { terms, excluded, channels, narrowing }: Sought): Promise<Candidate[]> {
  const looked = {
    kind: 'video' as const,
    units: terms.names,
    fields: [kind === 'title' ? ('a' as const) : ('b' as const)],
    flags: { active: null, subscribed: null },
    narrowing,
  };
  const rows = await lookUp(db, looked, [ofChannels(channels, 'd')], excluded);
  return rows
    .map((row) => ({ row, score: scoreOf(row, looked) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.row.at - a.row.at || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => ({ kind, videoId: row.id }));
}

/** Finds videos with a tag that has all terms: first with private ones of the caller, also of their channel. */
async function findTagged(db: Db, sought: Sought): Promise<Candidate[]> {
  const own = await findOwnTagged(db, sought, maxOfKind);
  const ids = new Set(own.map(({ videoId }) => videoId));
  const others = (await findNamed(db, 'tag', sought)).filter(({ videoId }) => !ids.has(videoId));
  return [...own, ...others].slice(0, maxOfKind);
}

async function findSpoken(db: Db, { terms, excluded, channels, query, narrowing }: Sought): Promise<Candidate[]> {
  const others = [
    ofChannels(channels),
    query.lang === null ? null : { words: [languageToken(query.lang)] },
    query.isGenerated ? { words: [sourceToken('generated')] } : null,
  ].filter((one) => one !== null);
  const { ordered } = await rankChunks(db, {
    units: terms.spoken.slice(query.phrases.length),
    required: terms.spoken.slice(0, query.phrases.length),
    excluded,
    others,
    narrowing,
    tracks: await isFewTracks(db, narrowing),
    within: {},
    leastShare,
  });
  const chunks = ordered.slice(0, maxOfKind);
  const videoOf = await videosOfTracks(db, [...new Set(chunks.map((chunk) => placeOf(chunk).track))]);
  return chunks.flatMap((chunk) => {
    const videoId = videoOf.get(placeOf(chunk).track);
    return videoId === undefined ? [] : [{ kind: 'spoken' as const, videoId, chunk }];
  });
}

/** Conditions on the text and author of a document, and on its channel. */
function writtenAs(
  { excluded, channels, query }: Sought,
  required: readonly QueryTerm[],
  ...others: Expression[]
): Expression | null {
  const inText = all(required.map(expressionOf));
  const authors = wordLists(query.by).map((words): Expression => ({ field: 'b', holds: { words } }));
  const expression = all([inText && { field: 'a', holds: inText }, ...authors, ofChannels(channels), ...others]);
  return expression && without(expression, excluded);
}

/** Scores documents word by word, best first. Of comments with the same text, the first is kept. */
async function compareDocuments(
  db: Db,
  documents: readonly MomentDocument[],
  { terms, total }: { terms: readonly QueryTerm[]; total: number },
): Promise<Candidate[]> {
  const compared = await readDocuments(db, documents.slice(0, maxCompared));
  const ranked = compared
    .map((document) => {
      const words = tokenize(document.text);
      const found = terms.map((term) => occurrences(term, words));
      return { document, score: scoreTranscript(terms, found, total), text: words.join(' ') };
    })
    .sort((a, b) => b.score - a.score || b.document.number - a.document.number);
  const first = new Map(ranked.toReversed().map(({ document, text }) => [text, document.number]));
  const unique = ranked.filter(({ document, text }) => document.kind !== 'comment' || first.get(text) === document.number);
  return [
    ...unique.map(({ document: { number, videoId, kind, ref } }) => ({
      kind,
      videoId,
      document: { number, videoId, kind, ref },
    })),
    ...documents.slice(maxCompared).map((document) => ({ kind: document.kind, videoId: document.videoId, document })),
  ];
}

/** Leaves out the words that are in a large share of all documents, unless all of them are. They still count for the order. */
function withoutCommon(terms: readonly QueryTerm[], total: number): readonly QueryTerm[] {
  const rare = terms.filter(({ documents }) => documents <= commonShare * total);
  return rare.length > 0 ? rare : terms;
}

type WrittenKind = MomentDocument['kind'];

/**
 * Finds former titles, descriptions, chapters, comments and notes with all terms. Rare words are looked up once for all kinds; only
 * if there are many matches, each kind is looked up alone, so that comments do not crowd out the others.
 */
async function findWritten(db: Db, kinds: readonly WrittenKind[], sought: Sought): Promise<Map<WrittenKind, Candidate[]>> {
  const { narrowing, terms } = sought;
  const termsOfKind = (kind: WrittenKind) => (kind === 'note' ? terms.noted : terms.written);
  const videos = await isFewVideos(db, narrowing);
  const find = (expression: Expression | null, limit: number) =>
    expression ? findDocuments(db, { expression, narrowing, videos, limit }) : [];
  const isNote: Expression = { words: [kindToken('note')] };
  const found = new Map<WrittenKind, MomentDocument[]>();
  const total = await estimateDocuments(db);
  const required = withoutCommon(terms.written, total);
  const ofAll = writtenAs(sought, required);
  const together = ofAll ? await find({ this: ofAll, not: isNote }, maxTogether) : [];
  for (const kind of kinds) {
    if (kind === 'note')
      found.set(
        kind,
        await find(
          writtenAs(sought, withoutCommon(terms.noted, total), isNote, { words: [accountToken(narrowing.accountId)] }),
          maxOfKind,
        ),
      );
    else if (together.length < maxTogether)
      found.set(kind, together.filter((document) => document.kind === kind).slice(0, maxOfKind));
    else found.set(kind, await find(writtenAs(sought, required, { words: [kindToken(kind)] }), maxOfKind));
  }
  const candidates = new Map<WrittenKind, Candidate[]>();
  for (const [kind, documents] of found)
    candidates.set(kind, await compareDocuments(db, documents, { terms: termsOfKind(kind), total }));
  return candidates;
}

/** Lists the newest matching videos, for searches without words. */
async function findNewest(db: Db, { channels, narrowing }: Sought): Promise<Candidate[]> {
  const expression = all([{ field: 'a', holds: { words: [kindToken('video')] } }, ofChannels(channels, 'd')]);
  const rows = await findVideoRows(db, {
    expression: channels ? expression : null,
    flags: { active: null, subscribed: null },
    narrowing,
    limit: maxOfKind,
  });
  return rows.map(({ id }) => ({ kind: 'title' as const, videoId: id }));
}

/** The kinds of this search, without those that its conditions exclude. */
function kindsOf({ query: { kinds, by, lang, isGenerated }, channels, hasNotes }: Sought): ReadonlySet<MomentKind> {
  const asked: readonly MomentKind[] = kinds ?? momentKinds;
  const possible = (kind: MomentKind) =>
    (by.length === 0 || kind === 'comment') &&
    ((lang === null && !isGenerated) || kind === 'spoken') &&
    (kind !== 'note' || (hasNotes && channels === null));
  return new Set(asked.filter(possible));
}

async function candidatesOf(db: Db, sought: Sought): Promise<Candidate[][]> {
  const { query, terms } = sought;
  const wanted = kindsOf(sought);
  const hasWords = terms.names.length > 0;
  if (!hasWords && query.by.length === 0 && query.lang === null && !query.isGenerated)
    return wanted.has('title') ? [await findNewest(db, sought)] : [];
  const written = await findWritten(
    db,
    writtenKinds.filter((kind) => wanted.has(kind) && (hasWords || kind === 'comment')),
    sought,
  );
  const { title: formerTitles = [], ...others } = Object.fromEntries(written);
  const lists: Candidate[][] = [];
  if (wanted.has('title') && hasWords)
    lists.push([...(await findNamed(db, 'title', sought)), ...formerTitles].slice(0, maxOfKind));
  if (wanted.has('tag') && hasWords) lists.push(await findTagged(db, sought));
  if (wanted.has('spoken')) lists.push(await findSpoken(db, sought));
  return [...lists, ...Object.values(others)];
}

function rankVideo(id: string, candidates: RankedCandidate[]): RankedVideo {
  const moments = candidates.toSorted((a, b) => b.score - a.score);
  const best = moments[0]!;
  const second = moments.find(({ kind }) => kind !== best.kind);
  return { id, moments, score: best.score + shareOfSecond * (second?.score ?? 0) };
}

export interface FoundMoments {
  videos: RankedVideo[];
  counts: Partial<Record<MomentKind, number>>;
  terms: Terms;
  corrections: Correction[];
}

/** Returns the corrections of words that neither a dictionary nor a private tag has. */
function correctionsIn({ names, spoken, written, noted }: Terms, ownTags: readonly OwnTag[]): Correction[] {
  const everywhere = [names, spoken, written, noted].filter((terms) => terms.length > 0);
  const wordsOfTags = new Set(ownTags.flatMap(({ name }) => tokenize(name)));
  const isKnown = (place: number) =>
    everywhere.some((terms) => terms[place]!.documents > 0 && terms[place]!.correction === null) ||
    names[place]!.words.every((word) => wordsOfTags.has(word));
  return names.flatMap((_, place) =>
    isKnown(place) ? [] : everywhere.flatMap((terms) => correctionsOf([terms[place]!])).slice(0, 1),
  );
}

/**
 * Finds moments: everything that was said or written about videos. Returns all videos that can be paged through, best first.
 * `ids`: videos that the query names by their id or address. `hasNotes`: the caller may read notes. `ownTags`: the caller's private
 * tags, none without `hasNotes`. `similar`: passages found by their meaning, best first, to merge with these matches, or with
 * `onlySimilar` instead of them.
 */
export async function findMoments(
  db: Db,
  query: ParsedMoments,
  narrowing: SearchFilter,
  {
    ids,
    hasNotes,
    ownTags,
    similar,
    onlySimilar,
  }: {
    ids: readonly string[];
    hasNotes: boolean;
    ownTags: readonly OwnTag[];
    similar: readonly { videoId: string }[];
    onlySimilar: boolean;
  },
): Promise<FoundMoments> {
  const terms = await termsOf(db, query, hasNotes ? noteSpace(narrowing.accountId) : null);
  const channels = query.channel.length > 0 ? await channelsNamed(db, wordLists(query.channel).flat(), narrowing) : null;
  const wasTyped = query.terms.length + query.phrases.length > 0;
  const isNothing = channels?.length === 0 || (wasTyped && terms.names.length === 0);
  const excluded = wordLists(query.excluded).map(exactly);
  const named = ids.map((id): Candidate => ({ kind: 'title', videoId: id }));
  const sought: Sought = { terms, excluded, channels, query, narrowing, hasNotes, ownTags };
  const passages = similar.map(({ videoId }, passage): Candidate => ({ kind: 'spoken', videoId, passage }));
  const lists = onlySimilar ? [passages] : [named, ...(isNothing ? [] : await candidatesOf(db, sought)), passages];

  const ranked = lists.flatMap((list) =>
    list.map((candidate, rank): RankedCandidate => ({ ...candidate, score: weights[candidate.kind] / (rankOffset + rank + 1) })),
  );
  const published = await publishedOf(db, [...new Set(ranked.map(({ videoId }) => videoId))]);
  const existing = ranked.filter(({ videoId }) => published.has(videoId));
  const videos = [...Map.groupBy(existing, ({ videoId }) => videoId)].map(([id, candidates]) => rankVideo(id, candidates));
  videos.sort((a, b) => b.score - a.score || published.get(b.id)! - published.get(a.id)! || (a.id < b.id ? -1 : 1));
  const counts = Object.fromEntries(
    [...Map.groupBy(existing, ({ kind }) => kind)].map(([kind, list]) => [kind, list.length]),
  ) as FoundMoments['counts'];
  return { videos, counts, terms, corrections: wasTyped && !onlySimilar ? correctionsIn(terms, ownTags) : [] };
}
