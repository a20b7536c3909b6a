import { once } from 'node:events';
import { z } from 'zod';
import { defineTask } from '../task/task.ts';
import type { Adding } from './adding.ts';
import { addListing } from './add-listing.ts';
import { addVideo } from './add-video.ts';
import { readBox, type Wanted } from './classify.ts';
import { withAddresses } from './known-item.ts';
import { downloadPending } from './download-pending.ts';
import { judgeUrl } from '../egress/judge.ts';

const Input = z.object({
  items: z.array(z.object({ text: z.string(), isIgnored: z.boolean() })),
  autostart: z.boolean().default(false),
  flat: z.boolean().default(false),
  force: z.boolean().default(false),
});
type Input = z.infer<typeof Input>;

async function addOne(adding: Adding, wanted: Wanted) {
  const refusal = judgeUrl(wanted.url, adding.archive.config.allowPrivate);
  if (refusal) throw new Error(refusal);
  if (wanted.what === 'video' && wanted.id) await addVideo(adding, { ...wanted, id: wanted.id });
  else await addListing(adding, wanted);
}

/** Adds videos, channels, playlists and pages of any site to the queue. */
export const addToQueue = defineTask<Input>({
  name: 'extract_download',
  title: 'Add to download queue',
  group: 'download:add',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: Input,

  async run(work, archive) {
    const { tools } = archive;
    if (!tools.ytdlp) {
      work.report({ messages: ['yt-dlp is being fetched; what was asked for is looked up then.'] });
      await Promise.race([tools.ytdlpSought.promise, once(work.signal, 'abort')]);
      work.signal.throwIfAborted();
    }
    if (!tools.ytdlp)
      throw new Error(
        'yt-dlp is not there yet, so nothing can be looked up. It is fetched when the internet can be reached; or install it.',
      );
    let count = 0;
    const { items, ...flags } = work.input;
    const download = () => archive.tasks.start(downloadPending, { autoOnly: true });
    const added = async (more = 1) => {
      const isFirst = count === 0;
      count += more;
      if (isFirst && flags.autostart) await download();
    };
    for (const isIgnored of [false, true]) {
      const texts = items.filter((item) => item.isIgnored === isIgnored).map((item) => item.text);
      const { wanted, strange } = readBox(await withAddresses(archive.db, texts));
      for (const word of strange) work.skip(word, 'Not understood: neither an id, nor a handle, nor a web address.');
      const adding: Adding = {
        archive,
        work,
        manner: { ...flags, status: isIgnored ? 'ignore' : 'pending' },
        added,
      };
      for (const [place, one] of wanted.entries()) {
        work.signal.throwIfAborted();
        work.report({
          messages: ['Looking up what was asked for.', `${one.text} (${place + 1}/${wanted.length})`],
          progress: place / wanted.length,
        });
        try {
          await addOne(adding, one);
        } catch (problem) {
          work.signal.throwIfAborted(); // stopped is not failed
          work.skip(one.text, problem);
        }
        archive.announce('download');
      }
    }
    // Also when nothing is new: what waited may have been pushed forward.
    if (flags.autostart) await download();
    return count > 0 ? `added ${count} Videos to Queue` : undefined;
  },
});
