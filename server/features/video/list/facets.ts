import type { ExpressionBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Tables } from '../../../platform/db/schema/tables.ts';
import { findTagNumber } from '../../tag/store.ts';
import { countVideosOf } from '../../../archive/queries/video-counts.ts';

// Filters on values in separate rows: tags, artists, albums, subtitles, codecs, transcripts, damage, availability and subscriptions.

interface Facet {
  kind: Tables['facet']['kind'];
  value: string;
  /** True: videos with the value. False: videos without it. */
  isWanted: boolean;
}

/** Lowercases A to Z only, as in the database. */
const small = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A filter with its facets in the order of rarity, so that a query can start at the rarest. */
export type FacetFilter = VideoFilter & {
  facets: Facet[];
  /** Number of the private tag; 0 for one that the user does not have, with which no video matches. */
  ownTag?: number;
};

function facetsIn({
  damaged,
  limited,
  active,
  tag,
  artist,
  album,
  subtitles,
  codec,
  transcript,
  subscribed,
}: VideoFilter): Facet[] {
  const having = (kind: Facet['kind'], value: string | undefined): Facet[] =>
    value === undefined ? [] : [{ kind, value: small(value), isWanted: true }];
  const being = (kind: Facet['kind'], isWanted: boolean | undefined): Facet[] =>
    isWanted === undefined ? [] : [{ kind, value: '', isWanted }];
  return [
    ...having('tag', tag),
    ...having('artist', artist),
    ...having('album', album),
    ...having('subtitles', subtitles),
    ...having('codec', codec),
    ...being('transcript', transcript),
    ...being('damaged', damaged),
    ...being('limited', limited),
    ...being('unavailable', active === undefined ? undefined : !active),
    ...being('subscribed', subscribed),
  ];
}

/** Returns whether a filter has a facet. */
export const hasFacet = (filter: VideoFilter): boolean => facetsIn(filter).length > 0;

const videosWith = async (db: Db, { kind, value }: Facet) =>
  (await db.selectFrom('facetCount').select('videos').where('kind', '=', kind).where('value', '=', value).executeTakeFirst())
    ?.videos ?? 0;

/** Finds the private tag of a filter, and sorts its facets by rarity. Excluding facets are last, because a query cannot start at them. */
export async function facetConditions(db: Db, accountId: number, requested: VideoFilter): Promise<FacetFilter> {
  const { own_tag: name } = requested;
  const filter = name === undefined ? requested : { ...requested, ownTag: (await findTagNumber(db, accountId, name)) ?? 0 };
  const facets = facetsIn(filter);
  if (facets.length < 2) return { ...filter, facets };
  const counted = await Promise.all(
    facets.map(async (facet) => ({ facet, videos: facet.isWanted ? await videosWith(db, facet) : Infinity })),
  );
  return { ...filter, facets: counted.toSorted((a, b) => (a.videos < b.videos ? -1 : 1)).map(({ facet }) => facet) };
}

/** Returns the conditions of all facets. With `mayStart`, a query may start at the first of them. */
export function hasFacets(w: ExpressionBuilder<Tables, 'video'>, { facets }: FacetFilter, mayStart: boolean) {
  return facets.map(({ kind, value, isWanted }, place) => {
    const having = w.selectFrom('facet').select('facet.videoId').where('facet.kind', '=', kind).where('facet.value', '=', value);
    if (isWanted && mayStart && place === 0) return w('video.id', 'in', having);
    const has = w.exists(having.whereRef('facet.videoId', '=', 'video.id'));
    return isWanted ? has : w.not(has);
  });
}

/** Counts the videos with, or without, the only facet of a filter. Returns undefined for several facets. */
export async function countFacet(db: Db, { facets: [facet, ...more] }: FacetFilter): Promise<number | undefined> {
  if (!facet || more.length > 0) return undefined;
  const having = await videosWith(db, facet);
  return facet.isWanted ? having : (await countVideosOf(db, {})).videos - having;
}

const maxTags = 50;
const maxOthers = 500;

/** Returns the facet values by number of videos; for tags, those with a prefix. */
export async function listFacets(db: Db, tag: string) {
  const of = async (kind: Facet['kind'], most: number, start = '') =>
    db
      .selectFrom('facetCount')
      .select(['value', 'videos'])
      .where('kind', '=', kind)
      .where('videos', '>', 0)
      .$if(start !== '', (q) => q.where('value', '>=', start).where('value', '<', `${start}\u{10ffff}`))
      .orderBy('videos', 'desc')
      .orderBy('value')
      .limit(most)
      .execute();
  const [tags, subtitles, codecs] = await Promise.all([
    of('tag', maxTags, small(tag)),
    of('subtitles', maxOthers),
    of('codec', maxOthers),
  ]);
  return { tags, subtitles, codecs };
}
