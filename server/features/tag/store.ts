import type { Tag, TagChange, Targets } from '#contract/tag.ts';
import { chunks, inTransaction, type Db, type Tx } from '../../platform/db/db.ts';
import type { PersonTagTargetTable } from '../../platform/db/schema/tables.ts';
import { badRequest, notFound } from '../../platform/http/http-error.ts';

const maxTags = 500;

type Kind = PersonTagTargetTable['kind'];

/** Names with the same key are the same tag. */
const keyOf = (name: string) => name.normalize('NFKC').toLowerCase();

const tagsOf = (db: Db, accountId: number) => db.selectFrom('personTag').where('personTag.accountId', '=', accountId);

const targetsOf = (db: Db, accountId: number) =>
  tagsOf(db, accountId).innerJoin('personTagTarget as target', 'target.tagNumber', 'personTag.number');

export interface OwnTag {
  number: number;
  name: string;
}

/** Returns the tags of a user by name; with a target only those on it. */
export const findTags = (db: Db, accountId: number, on?: { kind: Kind; id: string }): Promise<OwnTag[]> =>
  tagsOf(db, accountId)
    .select(['personTag.number', 'personTag.name'])
    .$if(on !== undefined, (q) =>
      q.where('personTag.number', 'in', (e) =>
        e.selectFrom('personTagTarget').select('tagNumber').where('kind', '=', on!.kind).where('id', '=', on!.id),
      ),
    )
    .orderBy('personTag.key')
    .execute();

/** Returns a user's tag of this name among their tags. */
export function tagNamed(tags: readonly OwnTag[], name: string): OwnTag | undefined {
  const key = keyOf(name.trim());
  return tags.find((tag) => keyOf(tag.name) === key);
}

/** Returns the tags with the number of their targets, without videos in the trash and deleted channels. */
export async function countTags(db: Db, accountId: number, tags: readonly OwnTag[]): Promise<Tag[]> {
  const counts = await targetsOf(db, accountId)
    .select((e) => ['target.tagNumber', 'target.kind', e.fn.countAll<number>().as('count')])
    .where((e) =>
      e.or([
        e('target.kind', '=', 'note'),
        e.and([
          e('target.kind', '=', 'video'),
          e.exists(e.selectFrom('video').select('video.id').whereRef('video.id', '=', 'target.id')),
        ]),
        e.and([
          e('target.kind', '=', 'channel'),
          e.exists(e.selectFrom('channel').select('channel.id').whereRef('channel.id', '=', 'target.id')),
        ]),
      ]),
    )
    .groupBy(['target.tagNumber', 'target.kind'])
    .execute();
  const countOf = new Map(counts.map(({ tagNumber, kind, count }) => [`${tagNumber}/${kind}`, count]));
  return tags.map(({ number, name }) => ({
    name,
    videos: countOf.get(`${number}/video`) ?? 0,
    channels: countOf.get(`${number}/channel`) ?? 0,
    notes: countOf.get(`${number}/note`) ?? 0,
  }));
}

const findTag = (db: Db, accountId: number, name: string) =>
  tagsOf(db, accountId).select(['number', 'name']).where('key', '=', keyOf(name)).executeTakeFirst();

/** @throws 404 for a tag that the user does not have */
async function getTag(db: Db, accountId: number, name: string): Promise<OwnTag> {
  const tag = await findTag(db, accountId, name);
  if (!tag) throw notFound('error.tag');
  return tag;
}

/**
 * Returns a tag of a user, which is created if it is missing.
 * @throws 400 for too many tags
 */
export async function openTag(tx: Tx, accountId: number, name: string): Promise<OwnTag> {
  const known = await findTag(tx, accountId, name);
  if (known) return known;
  const { count } = await tagsOf(tx, accountId)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxTags) throw badRequest('error.too-many-tags', { count: maxTags });
  return tx
    .insertInto('personTag')
    .values({ accountId, name, key: keyOf(name) })
    .returning(['number', 'name'])
    .executeTakeFirstOrThrow();
}

/** Returns the ids that are not archived, or are notes of others. */
async function unknownOf(db: Db, accountId: number, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const known = new Set<string>();
  for (const some of chunks([...ids])) {
    const rows =
      kind === 'note'
        ? await db
            .selectFrom('note')
            .select('number as id')
            .where('accountId', '=', accountId)
            .where('number', 'in', some.map(Number))
            .execute()
        : await db.selectFrom(kind).select('id').where('id', 'in', some).execute();
    for (const { id } of rows) known.add(String(id));
  }
  return ids.filter((id) => !known.has(id));
}

const missing: Record<Kind, 'error.video' | 'error.channel' | 'error.note'> = {
  video: 'error.video',
  channel: 'error.channel',
  note: 'error.note',
};

/**
 * Adds a tag to things. Returns those that did not have it.
 * @throws 404 for an unknown id
 */
export async function addTargets(
  tx: Tx,
  accountId: number,
  { tag, kind, ids }: { tag: OwnTag; kind: Kind; ids: readonly string[] },
): Promise<string[]> {
  const unique = [...new Set(ids)];
  if ((await unknownOf(tx, accountId, kind, unique)).length > 0) throw notFound(missing[kind]);
  const added: string[] = [];
  for (const some of chunks(unique)) {
    const rows = await tx
      .insertInto('personTagTarget')
      .values(some.map((id) => ({ tagNumber: tag.number, kind, id })))
      .onConflict((c) => c.doNothing())
      .returning('id')
      .execute();
    added.push(...rows.map(({ id }) => id));
  }
  return added;
}

/** Adds a tag to videos. Returns the number of those that did not have it. */
export const addTagToVideos = (db: Db, accountId: number, name: string, ids: readonly string[]): Promise<number> =>
  inTransaction(db, async (tx) => {
    const tag = await openTag(tx, accountId, name);
    return (await addTargets(tx, accountId, { tag, kind: 'video', ids })).length;
  });

async function removeTargets(tx: Tx, tag: OwnTag, kind: Kind, ids: readonly string[]): Promise<void> {
  for (const some of chunks([...ids]))
    await tx
      .deleteFrom('personTagTarget')
      .where('tagNumber', '=', tag.number)
      .where('kind', '=', kind)
      .where('id', 'in', some)
      .execute();
}

/** @throws 400 if the user has another tag of this name */
async function rename(tx: Tx, accountId: number, tag: OwnTag, name: string): Promise<OwnTag> {
  const other = await findTag(tx, accountId, name);
  if (other && other.number !== tag.number) throw badRequest('error.tag-exists', { name: other.name });
  await tx
    .updateTable('personTag')
    .set({ name, key: keyOf(name) })
    .where('number', '=', tag.number)
    .execute();
  return { ...tag, name };
}

const idsOf = (targets: Targets | undefined, kind: Kind): string[] => (targets?.[kind] ?? []).map(String);

/**
 * Creates or changes a tag. Only one that is not renamed, and from which nothing is removed, is created.
 * @throws 404 for an unknown tag or target, 400 for a name that is taken or too many tags
 */
export function changeTag(db: Db, accountId: number, name: string, change: TagChange) {
  return inTransaction(db, async (tx) => {
    const isNew = change.name === undefined && (change.add !== undefined || change.remove === undefined);
    const found = isNew ? await openTag(tx, accountId, name) : await getTag(tx, accountId, name);
    const tag = change.name === undefined ? found : await rename(tx, accountId, found, change.name);
    const add = (kind: Kind) => addTargets(tx, accountId, { tag, kind, ids: idsOf(change.add, kind) });
    const added = { video: await add('video'), channel: await add('channel'), note: (await add('note')).map(Number) };
    for (const kind of ['video', 'channel', 'note'] as const) await removeTargets(tx, tag, kind, idsOf(change.remove, kind));
    const [counted] = await countTags(tx, accountId, [tag]);
    return { ...counted!, added };
  });
}

/** @throws 404 for a tag that the user does not have */
export async function deleteTag(db: Db, accountId: number, name: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('personTag')
    .where('accountId', '=', accountId)
    .where('key', '=', keyOf(name))
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('error.tag');
}

/** Returns the names of a user's tags on these videos, channels or notes, by id. */
export async function tagNamesOf(db: Db, accountId: number, kind: Kind, ids: readonly string[]): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  for (const some of chunks([...ids])) {
    const rows = await targetsOf(db, accountId)
      .select(['target.id', 'personTag.name'])
      .where('target.kind', '=', kind)
      .where('target.id', 'in', some)
      .orderBy('personTag.key')
      .execute();
    for (const { id, name } of rows) names.set(id, [...(names.get(id) ?? []), name]);
  }
  return names;
}

/** Gives a note these tags and no others. */
export async function setTagsOfNote(tx: Tx, accountId: number, note: number, names: readonly string[]): Promise<void> {
  const id = String(note);
  await deleteTargets(tx, 'note', [id]);
  for (const name of names) await addTargets(tx, accountId, { tag: await openTag(tx, accountId, name), kind: 'note', ids: [id] });
}

/** Removes all tags of things that no longer exist. */
export async function deleteTargets(tx: Tx, kind: Kind, ids: readonly string[]): Promise<void> {
  for (const some of chunks([...ids]))
    await tx.deleteFrom('personTagTarget').where('kind', '=', kind).where('id', 'in', some).execute();
}
