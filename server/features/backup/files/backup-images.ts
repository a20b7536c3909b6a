import { channelArtKinds, channelArtPath } from '../../../archive/channel/art-files.ts';
import { pagesById, type Db, type Tx } from '../../../platform/db/db.ts';
import { thumbnailPath } from '../../../archive/storage/thumbnail-path.ts';
import { localPathOrNull, type FileStore } from '../../../platform/storage/file-store.ts';
import { inCache, inHistory, withoutPrefix } from '../../../platform/storage/stored-path.ts';

// Only irreplaceable images are backed up: images that a site has replaced, and images of videos and channels that are no longer
// available. All other images can be downloaded again (docs/decisions/backup-content.md).

/** An image file and its entry name in a backup. */
interface Picture {
  from: string;
  name: string;
}

const safeName = /^[-\w.]{1,200}\.jpg$/;

/** Returns the stored path of the image with this entry name; null if a backup must not contain such an entry. */
export function imagePath(name: string): string | null {
  const [, replaced] = /^history\/([^/]+)$/.exec(name) ?? [];
  if (replaced && safeName.test(replaced)) return inHistory(replaced);
  const [, below, file] = /^pictures\/((?:videos\/[^/.]|channels)\/([^/]+))$/.exec(name) ?? [];
  return below && safeName.test(file!) ? inCache(below) : null;
}

async function* replacedPictures(files: FileStore): AsyncGenerator<Picture> {
  for await (const { path } of files.list(inHistory(''))) {
    const name = withoutPrefix(path);
    if (safeName.test(name)) yield { from: await files.localPath(path), name: `history/${name}` };
  }
}

async function* picturesOfGone(files: FileStore, db: Db | Tx): AsyncGenerator<Picture> {
  const gone = (table: 'video' | 'channel') => (after: string) =>
    db
      .selectFrom(table)
      .select('id')
      .where((w) => w.or([w('isActive', '=', 0), w('unavailableSince', 'is not', null)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute();
  const existing = async function* (below: string) {
    const name = `pictures/${below}`;
    const from = imagePath(name) && (await localPathOrNull(files, inCache(below)));
    if (from) yield { from, name };
  };
  for await (const page of pagesById(gone('video'))) for (const { id } of page) yield* existing(thumbnailPath(id));
  for await (const page of pagesById(gone('channel')))
    for (const { id } of page) for (const art of channelArtKinds) yield* existing(channelArtPath(id, art));
}

/** Lists the images that go into a backup. */
export async function* imagesToBackUp(files: FileStore, db: Db | Tx): AsyncGenerator<Picture> {
  yield* replacedPictures(files);
  yield* picturesOfGone(files, db);
}
