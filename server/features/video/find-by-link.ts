import { parseInput } from '../../archive/sites/parse-input.ts';
import type { Db } from '../../platform/db/db.ts';

/** Returns the id of the archived video for a link or id; undefined if there is none. */
export async function findVideoByLink(db: Db, link: string): Promise<string | undefined> {
  const wanted = parseInput(link.trim());
  const byId = wanted ? wanted.id : link.trim();
  const { id } =
    (await db
      .selectFrom('video')
      .select('id')
      .$if(byId !== undefined, (q) => q.where('id', '=', byId!))
      // Videos of other sites are identified by their URL only.
      .$if(byId === undefined, (q) => q.where('url', '=', wanted!.url))
      .limit(1)
      .executeTakeFirst()) ?? {};
  return id;
}
