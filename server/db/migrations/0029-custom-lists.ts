import { sql, type Kysely } from 'kysely';

/**
 * Playlists of people's own are at no site, so that none is active there: so clients of the API know them, and the statistics
 * of what is still to be had.
 * @public
 */
export async function up(db: Kysely<never>) {
  await sql`update playlist set is_active = 0 where kind = 'custom'`.execute(db);
}
