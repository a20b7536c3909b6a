import { z } from 'zod';
import { messages } from '#contract/messages.ts';
import { defineTask } from '../../platform/context/task.ts';

const Input = z.object({ id: z.string().min(1).max(200) });
/** The queue item of the stream. */
export type StreamWanted = z.infer<typeof Input>;

/** Records a running stream from its start and archives it. A stop ends the recording, which is archived. */
export const recordStream = defineTask<StreamWanted>({
  name: 'record_stream',
  title: messages['task.record_stream'],
  group: 'download:live',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  needs: ['ytdlp', 'ffmpeg'],
  input: Input,

  run: async (work, app) => (await import('./record-stream.ts')).recordStreamOf(work, app),
});
