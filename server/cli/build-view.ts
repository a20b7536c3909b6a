import { randomUUID } from 'node:crypto';
import { buildView } from '../features/view/build-view.ts';
import { listViews } from '../features/view/store.ts';
import { renderMessages } from '../platform/messages/render.ts';
import { openStoppedArchive } from './open-stopped-archive.ts';
import { abortOnInterrupt, printProgress, runCommand } from './run-command.ts';

// `npm run cli -- build-view [name]`: builds a library view, or all of them, while the server is stopped. While it runs, use the
// page or the API.

const [name] = process.argv.slice(2);

await runCommand(async (config) => {
  const { app, close, taken } = await openStoppedArchive(config, {
    command: 'build-view',
    instead: 'POST /api/view/:id/build/',
  });
  try {
    const views = await listViews(app.db);
    const chosen = name === undefined ? views : views.filter((view) => view.name === name);
    if (chosen.length === 0)
      throw new Error(
        views.length === 0
          ? 'There are no views yet. Create one in Settings → Library views.'
          : `There is no view ${name}. There are: ${views.map((view) => view.name).join(', ')}.`,
      );
    for (const { number } of chosen) {
      const result = await buildView.run(
        {
          id: randomUUID(),
          input: { view: number, startOver: false },
          againSince: null,
          signal: AbortSignal.any([taken, abortOnInterrupt('Stopped. The next build continues.')]),
          report: printProgress,
          note: () => {},
          skip: (what, why) => console.log(`\n${what}: ${why instanceof Error ? why.message : renderMessages(why)}`),
        },
        app,
      );
      if (result) console.log(`\n${renderMessages(result)}`);
    }
  } finally {
    await close();
  }
});
