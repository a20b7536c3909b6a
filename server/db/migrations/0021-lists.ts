import { sql, type Kysely } from 'kysely';
import { columns } from '../columns.ts';
import type { Engine } from '../db.ts';
import { facetStatements } from '../facet-triggers.ts';

/**
 * What lists are narrowed to beside the columns of a video, each found by itself and counted; and lists that people keep: what
 * they show, and when somebody looked at them last.
 * @public
 */
export async function up(db: Kysely<never>, engine: Engine) {
  const type = columns(engine);
  const { integer } = type;
  await db.schema
    .createTable('facet')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull().$call(type.sorted))
    .addColumn('videoId', 'text', (c) => c.notNull().references('video.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('facetKey', ['kind', 'value', 'videoId'])
    .$call(type.keyed)
    .execute();
  await db.schema.createIndex('facetOfVideo').on('facet').columns(['videoId', 'kind']).execute();
  await db.schema
    .createTable('facetTally')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull().$call(type.sorted))
    .addColumn('videos', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('facetTallyKey', ['kind', 'value'])
    .$call(type.keyed)
    .execute();
  await db.schema.createIndex('facetTallyByVideos').on('facetTally').columns(['kind', 'videos']).execute();
  for (const statement of facetStatements(engine)) await sql.raw(statement).execute(db);

  await db.schema
    .createTable('smartList')
    .addColumn('number', integer, type.autoId)
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('sortName', 'text', (c) => c.notNull().$call(type.sorted))
    .addColumn('filter', 'text', (c) => c.notNull())
    .addColumn('isShared', integer, (c) => c.notNull().defaultTo(0))
    .addColumn('createdAt', integer, (c) => c.notNull())
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('smartListOfAccount').on('smartList').columns(['accountId', 'sortName', 'number']).execute();
  await db.schema
    .createTable('smartListVisit')
    .addColumn('accountId', integer, (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('listNumber', integer, (c) => c.notNull().references('smartList.number').onDelete('cascade'))
    .addColumn('visitedAt', integer, (c) => c.notNull())
    .addPrimaryKeyConstraint('smartListVisitKey', ['accountId', 'listNumber'])
    .$call(type.strict)
    .execute();
  await db.schema.createIndex('smartListVisitOfList').on('smartListVisit').column('listNumber').execute();
}
