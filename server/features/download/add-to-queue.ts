import { MessageError } from '../../platform/messages/message-error.ts';
import { message, messages } from '#contract/messages.ts';
import { z } from 'zod';
import { defineTask } from '../../platform/context/task.ts';
import type { EnqueueContext } from './enqueue-context.ts';
import { enqueueListing } from './enqueue-listing.ts';
import { addVideo, enqueuePage, isArchivedOrQueued } from './enqueue-video.ts';
import { parseLines, type ParsedInput } from '../../archive/sites/parse-input.ts';
import { knownIdOf, withUrls } from '../../archive/sites/resolve-known-urls.ts';
import { downloadPending } from './download-pending.ts';
import { checkUrl } from '../../platform/egress/host-policy.ts';

const Input = z.object({
  items: z.array(z.object({ text: z.string(), isIgnored: z.boolean() })),
  autostart: z.boolean().default(false),
  flat: z.boolean().default(false),
  force: z.boolean().default(false),
});
type Input = z.infer<typeof Input>;

async function addOne(adding: EnqueueContext, wanted: ParsedInput) {
  const refusal = checkUrl(wanted.url, adding.app.config.allowPrivate);
  if (refusal) throw new MessageError(refusal);
  const { what, id, site, siteId, url } = wanted;
  if (what === 'video' && id && site && siteId) return addVideo(adding, { ...wanted, id, site, siteId });
  const knownId = await knownIdOf(adding.app.db, wanted);
  if (knownId && (await isArchivedOrQueued(adding, knownId))) return;
  if (what === 'video') await enqueuePage(adding, url);
  else await enqueueListing(adding, wanted);
}

/** Adds videos, channels, playlists and pages of any site to the queue. */
export const addToQueue = defineTask<Input>({
  name: 'extract_download',
  title: messages['task.extract_download'],
  group: 'download:add',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  needs: ['ytdlp'],
  input: Input,

  async run(work, app) {
    const { tools } = app;
    if (!tools.ytdlp) throw new MessageError(message('queue.no-ytdlp'));
    let count = 0;
    const { items, ...flags } = work.input;
    const download = () => app.tasks.start(downloadPending, { autoOnly: true });
    const added = async (more = 1) => {
      const isFirst = count === 0;
      count += more;
      if (isFirst && flags.autostart) await download();
    };
    for (const isIgnored of [false, true]) {
      const texts = items.filter((item) => item.isIgnored === isIgnored).map((item) => item.text);
      const { items: parsed, invalidLines } = parseLines(await withUrls(app.db, texts));
      for (const word of invalidLines) work.skip(word, message('queue.invalid-input'));
      const adding: EnqueueContext = {
        app,
        work,
        manner: { ...flags, status: isIgnored ? 'ignore' : 'pending' },
        added,
      };
      for (const [place, one] of parsed.entries()) {
        work.signal.throwIfAborted();
        work.report({
          messages: [
            message('queue.looking-up'),
            message('queue.input-progress', { text: one.text, place: place + 1, count: parsed.length }),
          ],
          progress: place / parsed.length,
        });
        try {
          await addOne(adding, one);
        } catch (problem) {
          work.signal.throwIfAborted(); // an abort is not a failure
          work.skip(one.text, problem as Error);
        }
        app.announce('download');
      }
    }
    // Starts even if nothing was added: items already in the queue may have been prioritized.
    if (flags.autostart) await download();
    return count > 0 ? message('queue.added', { count }) : undefined;
  },
});
