import { messages } from '#contract/messages.ts';
import { z } from 'zod';
import { defineTask } from '../../platform/context/task.ts';

const Input = z.object({ id: z.string() });

/** Keeps the present file of a video as a video of its own, then downloads what its source has now. May be repeated. */
export const keepEditionTask = defineTask<z.infer<typeof Input>>({
  name: 'keep_edition',
  title: messages['task.keep_edition'],
  group: 'download:edition',
  isStartable: false,
  isStoppable: true,
  isParallel: true,
  input: Input,
  run: async (work, app) => (await import('./keep-edition.ts')).keepEdition(app, work),
});
