import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { pagesById, type Db, type Tx } from '../db/db.ts';
import { earlierFolder } from '../video/earlier.ts';
import { exists } from '../media/shelf.ts';
import { thumbnailPath } from '../video/thumbnail-path.ts';

// Pictures that exist nowhere else: those that a site has replaced, and those of what is gone from its site. The rest can be
// fetched again (docs/decisions/0014).

/** A picture, and what it is called in a backup. */
interface Picture {
  from: string;
  name: string;
}

const safeName = /^[-\w.]{1,200}\.jpg$/;

/** What an entry of a backup may be called, and where such a picture stands; null for everything else. */
export function placeOf(config: Pick<Config, 'dataFolder' | 'cacheFolder'>, name: string): string | null {
  const [, earlier] = /^earlier\/([^/]+)$/.exec(name) ?? [];
  if (earlier && safeName.test(earlier)) return join(config.dataFolder, 'earlier', earlier);
  const [, below, file] = /^pictures\/((?:videos\/[^/.]|channels)\/([^/]+))$/.exec(name) ?? [];
  return below && safeName.test(file!) ? join(config.cacheFolder, below) : null;
}

async function* picturesOfEarlier(config: Config): AsyncGenerator<Picture> {
  const folder = earlierFolder({ config });
  if (!(await exists(folder))) return;
  for await (const entry of await opendir(folder))
    if (entry.isFile() && safeName.test(entry.name)) yield { from: join(folder, entry.name), name: `earlier/${entry.name}` };
}

async function* picturesOfGone(config: Config, db: Db | Tx): AsyncGenerator<Picture> {
  const gone = (table: 'video' | 'channel') => (after: string) =>
    db
      .selectFrom(table)
      .select('id')
      .where((w) => w.or([w('isActive', '=', 0), w('goneSince', 'is not', null)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute();
  for await (const page of pagesById(gone('video')))
    for (const { id } of page) {
      const below = thumbnailPath(id);
      const name = `pictures/${below}`;
      if (placeOf(config, name) && (await exists(join(config.cacheFolder, below))))
        yield { from: join(config.cacheFolder, below), name };
    }
  for await (const page of pagesById(gone('channel')))
    for (const { id } of page)
      for (const kind of ['thumb', 'banner', 'tvart']) {
        const below = `channels/${id}_${kind}.jpg`;
        const name = `pictures/${below}`;
        if (placeOf(config, name) && (await exists(join(config.cacheFolder, below))))
          yield { from: join(config.cacheFolder, below), name };
      }
}

/** The pictures that go into a backup. */
export async function* picturesToKeep(config: Config, db: Db | Tx): AsyncGenerator<Picture> {
  yield* picturesOfEarlier(config);
  yield* picturesOfGone(config, db);
}
