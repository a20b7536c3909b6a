import { message } from '#contract/messages.ts';
import { resolveCalls } from '#contract/resolve.ts';
import { parseLines } from '../../archive/sites/parse-input.ts';
import { withUrls } from '../../archive/sites/resolve-known-urls.ts';
import { routes } from '../../platform/http/route.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { resolveAll } from './resolve.ts';

const maxListed = 50;

export const resolveRoutes = routes(resolveCalls, {
  'POST /api/resolve/': async ({ body }, app) => {
    const { items, invalidLines } = parseLines(await withUrls(app.db, [body.text]));
    const messages = [message('queue.invalid-input')];
    return {
      items: await resolveAll(app, items.slice(0, maxListed)),
      total: items.length,
      invalid: invalidLines.slice(0, maxListed).map((line) => ({ line, message: renderMessages(messages), messages })),
      invalid_total: invalidLines.length,
    };
  },
});
