import { message } from '#contract/messages.ts';
import { SomeOverwritesOf } from '#contract/channel.ts';
import { channelArtFiles } from '../../../archive/channel/art-files.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import type { BackupContext } from '../files/backup-files.ts';
import { countExisting, invalidSettingMessage, type Merge } from './merge-context.ts';
import { asCount, asFlag, asTexts, asTime } from './field-parsers.ts';
import { objectOrEmpty, storableText, type JsonObject } from '../../../platform/lib/untrusted.ts';

const kinds = ['videos', 'streams', 'shorts'];
const idPattern = /^[-\w]{1,64}$/;
export const isChannelId = (id: string | null): id is string => id !== null && idPattern.test(id);

/** Reads the overrides of a channel. Reports and omits invalid values. Before 0.5, false meant "not set". */
function overwritesOf(value: unknown, onRefused?: (key: string, value: unknown) => void): Record<string, unknown> {
  const overwrites = Object.entries(objectOrEmpty(value)).filter(
    ([key, one]) =>
      one !== null && one !== '' && (one !== false || key === 'index_playlists' || key === 'integrate_sponsorblock'),
  );
  return Object.fromEntries(
    overwrites.flatMap(([key, one]) => {
      const read = Object.entries(SomeOverwritesOf(key, one));
      if (read.length === 0) onRefused?.(key, one);
      return read;
    }),
  );
}

/** Converts a TubeArchivist channel to a row, without subscription and overrides. */
export function channelRow(id: string, doc: JsonObject, now: number) {
  const name = storableText(doc['channel_name'], 500) ?? id;
  const tabs = asTexts(doc['channel_tabs']).filter((tab) => kinds.includes(tab));
  return {
    id,
    site: 'youtube',
    siteId: id,
    name,
    sortName: normalizeText(name),
    url: `https://www.youtube.com/channel/${id}`,
    description: storableText(doc['channel_description']),
    tags: JSON.stringify(asTexts(doc['channel_tags'])),
    tabs: JSON.stringify(tabs.length > 0 ? tabs : kinds), // missing before 0.5.5
    subscriberCount: asCount(doc['channel_subs']),
    isActive: doc['channel_active'] === false ? (0 as const) : (1 as const),
    refreshedAt: asTime(doc['channel_last_refresh']) ?? 0,
    addedAt: now,
  };
}

/** Adds the channel that is embedded in a video document, if it does not exist here. */
export async function addEmbedded(tx: Db | Tx, id: string, doc: JsonObject, { files, now }: BackupContext): Promise<void> {
  const added = await tx
    .insertInto('channel')
    .values({
      ...channelRow(id, doc, now()),
      isSubscribed: asFlag(doc['channel_subscribed']),
      overwrites: writtenOverwrites(doc, null),
    })
    .onConflict((c) => c.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return;
  await tx
    .updateTable('channel')
    .set(await channelArtFiles(files, id))
    .where('id', '=', id)
    .execute();
}

// Overrides set here take precedence over imported ones.
function writtenOverwrites(doc: JsonObject, here: string | null): string | null {
  const both = { ...overwritesOf(doc['channel_overwrites']), ...(here ? (JSON.parse(here) as object) : {}) };
  return Object.keys(both).length > 0 ? JSON.stringify(both) : null;
}

/** Flags of the existing channel art. A missing file may be only temporarily unreachable, so its flag is not cleared. */
const present = (art: Awaited<ReturnType<typeof channelArtFiles>>) => ({
  ...(art.hasThumb && { hasThumb: art.hasThumb }),
  ...(art.hasBanner && { hasBanner: art.hasBanner }),
  ...(art.hasTvart && { hasTvart: art.hasTvart }),
});

/** Merges channels with their user settings. A channel stays subscribed if it is subscribed here or in the backup. */
export const mergeChannels: Merge = async (tx, batch, merging) => {
  const { part, dryRun, problem } = merging;
  const good = batch.filter(({ id }) => isChannelId(id) || (problem(id, message('restore.invalid-channel-id')), false));
  const ids = good.map(({ id }) => id);
  if (ids.length === 0) return { found: 0, here: 0 };
  const rows = await tx
    .selectFrom('channel')
    .select(['id', 'refreshedAt', 'overwrites', 'isSubscribed'])
    .where('id', 'in', ids)
    .execute();
  const existing = new Map(rows.map((row) => [row.id, row]));
  for (const { id, doc } of good)
    overwritesOf(doc['channel_overwrites'], (key, value) => problem(`${id}.${key}`, invalidSettingMessage(value)));
  if (!dryRun)
    for (const { id, doc } of good) {
      const here = existing.get(id);
      const row = channelRow(id, doc, part.now());
      const art = await channelArtFiles(part.files, id);
      const decided = {
        isSubscribed: here?.isSubscribed === 1 ? (1 as const) : asFlag(doc['channel_subscribed']),
        overwrites: writtenOverwrites(doc, here?.overwrites ?? null),
      };
      if (!here)
        await tx
          .insertInto('channel')
          .values({ ...row, ...decided, ...art })
          .execute();
      else {
        const { id: _, site: __, siteId: ___, addedAt: ____, ...changes } = row;
        await tx
          .updateTable('channel')
          .set({ ...decided, ...present(art), ...(row.refreshedAt >= here.refreshedAt && changes) })
          .where('id', '=', id)
          .execute();
      }
    }
  return { found: good.length, here: countExisting(ids, existing, merging) };
};
