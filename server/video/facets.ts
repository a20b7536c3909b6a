import type { ExpressionBuilder } from 'kysely';
import type { VideoFilter } from '#contract/video.ts';
import type { Db } from '../db/db.ts';
import type { Tables } from '../db/tables.ts';
import { tallyOf } from './tally.ts';

// What a list is narrowed to that is kept in rows of its own (migration 0021).

interface Facet {
  kind: Tables['facet']['kind'];
  value: string;
  /** Those are wanted that have it, or those that have it not. */
  isWanted: boolean;
}

/** As the database has them: A to Z small, and nothing else is changed. */
const small = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A filter with the facets that it asks for, so that who begins with the first of them begins with the rarest. */
export type Faceted = VideoFilter & { facets: Facet[] };

function facetsIn({ damaged, tag, subtitles, codec, transcript }: VideoFilter): Facet[] {
  const having = (kind: Facet['kind'], value: string | undefined): Facet[] =>
    value === undefined ? [] : [{ kind, value: small(value), isWanted: true }];
  const being = (kind: Facet['kind'], isWanted: boolean | undefined): Facet[] =>
    isWanted === undefined ? [] : [{ kind, value: '', isWanted }];
  return [
    ...having('tag', tag),
    ...having('subtitles', subtitles),
    ...having('codec', codec),
    ...being('transcript', transcript),
    ...being('damaged', damaged),
  ];
}

/** Whether a filter asks for something of it. */
export const hasFacet = (filter: VideoFilter): boolean => facetsIn(filter).length > 0;

const videosWith = async (db: Db, { kind, value }: Facet) =>
  (await db.selectFrom('facetTally').select('videos').where('kind', '=', kind).where('value', '=', value).executeTakeFirst())
    ?.videos ?? 0;

/** Looks what of a filter is rare; what videos must not have is no place to begin. */
export async function faceted(db: Db, filter: VideoFilter): Promise<Faceted> {
  const facets = facetsIn(filter);
  if (facets.length < 2) return { ...filter, facets };
  const counted = await Promise.all(
    facets.map(async (facet) => ({ facet, videos: facet.isWanted ? await videosWith(db, facet) : Infinity })),
  );
  return { ...filter, facets: counted.toSorted((a, b) => (a.videos < b.videos ? -1 : 1)).map(({ facet }) => facet) };
}

/** Whether a video fits what is asked for; who may begin with the first of it does. */
export function hasFacets(w: ExpressionBuilder<Tables, 'video'>, { facets }: Faceted, mayStart: boolean) {
  return facets.map(({ kind, value, isWanted }, place) => {
    const having = w.selectFrom('facet').select('facet.videoId').where('facet.kind', '=', kind).where('facet.value', '=', value);
    if (isWanted && mayStart && place === 0) return w('video.id', 'in', having);
    const has = w.exists(having.whereRef('facet.videoId', '=', 'video.id'));
    return isWanted ? has : w.not(has);
  });
}

/** How many videos have, or have not, the one thing that a filter asks for; nothing when it asks for more. */
export async function countedFacet(db: Db, { facets: [facet, ...more] }: Faceted): Promise<number | undefined> {
  if (!facet || more.length > 0) return undefined;
  const having = await videosWith(db, facet);
  return facet.isWanted ? having : (await tallyOf(db, {})).videos - having;
}

const mostTags = 50;
const mostOthers = 500;

/** What there is to narrow lists to, what most videos have first; of tags those that begin with a text. */
export async function facetsHere(db: Db, tag: string) {
  const of = async (kind: Facet['kind'], most: number, start = '') =>
    db
      .selectFrom('facetTally')
      .select(['value', 'videos'])
      .where('kind', '=', kind)
      .where('videos', '>', 0)
      .$if(start !== '', (q) => q.where('value', '>=', start).where('value', '<', `${start}\u{10ffff}`))
      .orderBy('videos', 'desc')
      .orderBy('value')
      .limit(most)
      .execute();
  const [tags, subtitles, codecs] = await Promise.all([
    of('tag', mostTags, small(tag)),
    of('subtitles', mostOthers),
    of('codec', mostOthers),
  ]);
  return { tags, subtitles, codecs };
}
