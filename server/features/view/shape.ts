import type { Message } from '#contract/messages.ts';
import type { View } from '#contract/view.ts';
import type { AppContext } from '../../platform/context/app-context.ts';
import type { Db } from '../../platform/db/db.ts';
import { renderMessages } from '../../platform/messages/render.ts';
import { parseMessages } from '../../platform/messages/stored.ts';
import { findListName } from '../smart-list/store.ts';
import { findVideoSource } from '../smart-list/video-source.ts';
import { templateTextOf } from './presets.ts';
import { countPending, type ViewRow } from './store.ts';

const textOf = (messages: Message[] | null) => messages && renderMessages(messages);

/** Running and queued work of each view. */
interface Work {
  pending: Map<number, number>;
  building: Set<number>;
}

/** Returns the numbers of the views that are being updated, or wait for it. */
export const activeBuilds = async ({ tasks }: AppContext) =>
  new Set(((await tasks.activeInputs('build_view')) as { view: number }[]).map(({ view }) => view));

export const readWork = async (app: AppContext): Promise<Work> => ({
  pending: await countPending(app.db),
  building: await activeBuilds(app),
});

/** Returns the name of the content of a view; null if it no longer exists, or was made private. */
async function contentName(db: Db, { contentType, contentId, chosenBy }: ViewRow): Promise<string | null> {
  if (contentType === 'all') return null;
  if (contentType === 'smart-list') return findListName(db, Number(contentId));
  return (await findVideoSource(db, { id: chosenBy ?? 0, isStaff: true }, contentType, contentId!))?.name ?? null;
}

/** Returns a view as JSON of the API. */
export async function serializeView(app: AppContext, row: ViewRow, { pending, building }: Work): Promise<View> {
  const { template, preset } = row;
  return {
    id: row.number,
    name: row.name,
    root: row.root,
    preset,
    template,
    pattern: templateTextOf({ preset, template }),
    content: { type: row.contentType, id: row.contentId, name: await contentName(app.db, row) },
    link: row.link,
    link_used: row.linkUsed,
    link_reason: textOf(parseMessages(row.linkReason)),
    link_reason_messages: parseMessages(row.linkReason),
    nfo: row.hasNfo === 1,
    artwork: row.hasArtwork === 1,
    subtitles: row.subtitles,
    chapters: row.hasChapters === 1,
    person: row.personId,
    state: row.state !== 'deleting' && building.has(row.number) ? 'building' : row.state,
    problem: textOf(parseMessages(row.problem)),
    problem_messages: parseMessages(row.problem),
    built: row.builtAt,
    videos: row.videos,
    files: row.files,
    pending: pending.get(row.number) ?? 0,
  };
}
