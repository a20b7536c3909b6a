import { createHash } from 'node:crypto';
import { updateCustomArtwork } from '../../../archive/playlist/artwork.ts';
import { chunks, inTransaction, type Tx } from '../../../platform/db/db.ts';
import { normalizeText } from '../../../platform/lib/normalize-text.ts';
import type { Item } from '../item/item.ts';
import { recordChanges, type Applying } from './context.ts';

type List = Extract<Item, { what: 'list' }>;

const maxEntries = 100_000;
const entriesPerChange = 1000;

/** Id of a new custom playlist. The same import makes the same id, so that a repeated run continues its playlist. */
const newId = ({ importId }: Applying, name: string) => {
  const hex = createHash('sha256').update(`${importId} ${name}`).digest('hex');
  return `TA_playlist_${[8, 4, 4, 4, 12].reduce<string[]>((parts, size) => [...parts, hex.slice(parts.join('').length, parts.join('').length + size)], []).join('-')}`;
};

const findOwn = (tx: Tx, accountId: number, sortName: string) =>
  tx
    .selectFrom('playlist')
    .select('id')
    .where('kind', '=', 'custom')
    .where('ownerId', '=', accountId)
    .where('sortName', '=', sortName)
    .orderBy('id')
    .executeTakeFirst();

/** Creates a custom playlist, or appends what is missing to the one of the same name. Entries need not be archived. */
export async function applyList(applying: Applying, { name, description, entries }: List): Promise<void> {
  const { app, isDry, accountId, count, known } = applying;
  const { db, now } = app;
  const unique = [...new Map(entries.slice(0, maxEntries).map((entry) => [entry.videoId, entry])).values()];
  const sortName = normalizeText(name);
  const playlistId = await inTransaction(db, async (tx) => {
    const own = await findOwn(tx, accountId, sortName);
    const isHere = own !== undefined || known.has('playlists', sortName);
    count('playlists', { found: 1, ...(isHere ? { here: 1 } : { added: 1 }) });
    if (isDry) {
      known.add('playlists', sortName);
      return null;
    }
    const id = own?.id ?? newId(applying, name);
    if (!own) {
      await tx
        .insertInto('playlist')
        .values({
          id,
          kind: 'custom',
          name,
          sortName,
          description,
          isActive: 0,
          isSubscribed: 0,
          refreshedAt: now(),
          ownerId: accountId,
          isShared: 0,
        })
        .execute();
      await recordChanges(tx, applying, [{ take: 'playlists', kind: 'playlist', subject: id }]);
    }
    const before = await tx
      .selectFrom('playlistEntry')
      .select(['videoId', 'position'])
      .where('playlistId', '=', id)
      .orderBy('position')
      .execute();
    const isThere = new Set(before.map((entry) => entry.videoId));
    const missing = unique.filter((entry) => !isThere.has(entry.videoId));
    if (missing.length === 0) return null;
    let position = before.at(-1)?.position ?? -1;
    for (const part of chunks(missing, 500)) {
      const rows = await tx
        .selectFrom('video')
        .innerJoin('channel', 'channel.id', 'video.channelId')
        .select(['video.id', 'video.title', 'channel.name'])
        .where(
          'video.id',
          'in',
          part.map(({ videoId }) => videoId),
        ) // prettier-ignore
        .execute();
      const archived = new Map(rows.map((row) => [row.id, row]));
      await tx
        .insertInto('playlistEntry')
        .values(
          part.map(({ videoId, title, uploader }) => ({
            playlistId: id,
            videoId,
            position: ++position,
            title: archived.get(videoId)?.title ?? title,
            uploader: archived.get(videoId)?.name ?? uploader,
            addedOrder: now(),
          })),
        )
        .execute();
    }
    for (const part of chunks(missing, entriesPerChange))
      await recordChanges(tx, applying, [
        { take: null, kind: 'entries', subject: id, state: part.map(({ videoId }) => videoId) },
      ]);
    return id;
  });
  if (playlistId) await updateCustomArtwork(app, [playlistId]);
}
