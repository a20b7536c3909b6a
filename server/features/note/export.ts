import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Db } from '../../platform/db/db.ts';
import { tagNamesOf } from '../tag/store.ts';
import { fileName, markdownOf } from './markdown.ts';
import { notesByVideo, serializeNote, type NoteRow } from './store.ts';

const videoOf = async (db: Db, videoId: string) =>
  (await db.selectFrom('video').select(['publishedAt', 'durationSeconds']).where('id', '=', videoId).executeTakeFirst()) ?? null;

/** Returns the notes as a ZIP with a Markdown file for each video, one of which is in memory at a time. */
export function exportMarkdown(db: Db, accountId: number, since: number, archive: string): Readable {
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  const add = async () => {
    for await (const notes of notesByVideo(db, accountId, since)) {
      const { videoId } = notes[0]!;
      const tags = (await tagNamesOf(db, accountId, 'video', [videoId])).get(videoId) ?? [];
      const file = Buffer.from(markdownOf(notes, await videoOf(db, videoId), { archive, tags }));
      const changed = Math.max(...notes.map(({ updatedAt }) => updatedAt));
      const added = Promise.withResolvers<void>();
      zip.addReadStreamLazy(fileName(notes.at(-1)!), { mtime: new Date(changed * 1000), mode: 0o100644 }, (go) => {
        const content = Readable.from([file]);
        content.once('end', added.resolve).once('error', added.reject);
        go(null, content);
      });
      await added.promise;
    }
    zip.end();
  };
  zip.on('error', (error) => stream.destroy(error));
  void add().catch((error: Error) => stream.destroy(error));
  return stream;
}

/** Returns the notes as a JSON list. */
export function exportJson(db: Db, accountId: number, since: number): Readable {
  const parts = async function* () {
    let isFirst = true;
    yield '[';
    for await (const notes of notesByVideo(db, accountId, since))
      for (const note of notes) {
        yield `${isFirst ? '' : ','}\n${JSON.stringify(serializeNote(note satisfies NoteRow))}`;
        isFirst = false;
      }
    yield '\n]\n';
  };
  return Readable.from(parts(), { objectMode: false });
}
