import { SomeOverwritesOf } from '#contract/channel.ts';
import type { Db, Tx } from '../db/db.ts';
import { foldText } from '../fold-text.ts';
import { hereBefore, notPossible, type Merge } from './original-merge.ts';
import { asCount, asDoc, asFlag, asText, asTexts, asTime, type Doc } from './original-values.ts';

const kinds = ['videos', 'streams', 'shorts'];
const idPattern = /^[-\w]{1,64}$/;
export const isChannelId = (id: string | null): id is string => id !== null && idPattern.test(id);

/** What was set for one channel; what does not fit is left out, and told. False stood for nothing before 0.5. */
function overwritesOf(value: unknown, onRefused?: (key: string, said: unknown) => void): Record<string, unknown> {
  const said = Object.entries(asDoc(value)).filter(
    ([key, one]) =>
      one !== null && one !== '' && (one !== false || key === 'index_playlists' || key === 'integrate_sponsorblock'),
  );
  return Object.fromEntries(
    said.flatMap(([key, one]) => {
      const read = Object.entries(SomeOverwritesOf(key, one));
      if (read.length === 0) onRefused?.(key, one);
      return read;
    }),
  );
}

/** A channel of the original as a row, without what people decide. */
export function channelRow(id: string, doc: Doc, now: number) {
  const name = asText(doc['channel_name'], 500) ?? id;
  const tabs = asTexts(doc['channel_tabs']).filter((tab) => kinds.includes(tab));
  return {
    id,
    site: 'youtube',
    siteId: id,
    name,
    sortName: foldText(name),
    url: `https://www.youtube.com/channel/${id}`,
    description: asText(doc['channel_description']),
    tags: JSON.stringify(asTexts(doc['channel_tags'])),
    tabs: JSON.stringify(tabs.length > 0 ? tabs : kinds), // missing before 0.5.5
    subscriberCount: asCount(doc['channel_subs']),
    isActive: doc['channel_active'] === false ? (0 as const) : (1 as const),
    refreshedAt: asTime(doc['channel_last_refresh']) ?? 0,
    addedAt: now,
  };
}

/** Adds the channel that a video carries with it, where it is not here. */
export async function addEmbedded(tx: Db | Tx, id: string, doc: Doc, now: number): Promise<void> {
  await tx
    .insertInto('channel')
    .values({
      ...channelRow(id, doc, now),
      isSubscribed: asFlag(doc['channel_subscribed']),
      overwrites: writtenOverwrites(doc, null),
    })
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

// What was chosen here goes before what was chosen there.
function writtenOverwrites(doc: Doc, here: string | null): string | null {
  const both = { ...overwritesOf(doc['channel_overwrites']), ...(here ? (JSON.parse(here) as object) : {}) };
  return Object.keys(both).length > 0 ? JSON.stringify(both) : null;
}

/** Channels with what people decided about them: subscribed there or here is subscribed. */
export const mergeChannels: Merge = async (tx, batch, merging) => {
  const { part, dryRun, problem } = merging;
  const good = batch.filter(({ id }) => isChannelId(id) || (problem(id, 'It is no id of a channel.'), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const rows = await tx
    .selectFrom('channel')
    .select(['id', 'refreshedAt', 'overwrites', 'isSubscribed'])
    .where('id', 'in', ids)
    .execute();
  const there = new Map(rows.map((row) => [row.id, row]));
  for (const { id, doc } of good)
    overwritesOf(doc['channel_overwrites'], (key, said) => problem(`${id}.${key}`, notPossible(said)));
  if (!dryRun)
    for (const { id, doc } of good) {
      const here = there.get(id);
      const row = channelRow(id, doc, part.now());
      const decided = {
        isSubscribed: here?.isSubscribed === 1 ? (1 as const) : asFlag(doc['channel_subscribed']),
        overwrites: writtenOverwrites(doc, here?.overwrites ?? null),
      };
      if (!here)
        await tx
          .insertInto('channel')
          .values({ ...row, ...decided })
          .execute();
      else {
        const { id: _, site: __, siteId: ___, addedAt: ____, ...said } = row;
        await tx
          .updateTable('channel')
          .set({ ...decided, ...(row.refreshedAt >= here.refreshedAt && said) })
          .where('id', '=', id)
          .execute();
      }
    }
  return { found: good.length, here: hereBefore(ids, there, merging) };
};
