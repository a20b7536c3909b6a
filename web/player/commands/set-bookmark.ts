import { t } from '@lingui/core/macro';
import type { Note } from '#contract/note.ts';
import type { Video } from '#contract/video.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { durationText } from '#web/format/numbers.ts';
import type { ShowToast } from '#web/ui/toasts.tsx';

// The last bookmark of this window, whose range the shortcut can end.
let open: Note | null = null;

const remove = (id: number) =>
  call('DELETE /api/note/:id/', { params: { id: String(id) } }).then(() => queryClient.invalidateQueries({ queryKey: ['note'] }));

/** Sets a bookmark; pressed again later in the same video, it becomes the range up to there. */
export async function setBookmark({ youtube_id: video }: Video, at: number, showToast: ShowToast): Promise<void> {
  const start = Math.floor(at * 10) / 10;
  try {
    const begun = open?.video === video && open.start !== null && open.start < start ? open : null;
    const bookmark = begun
      ? await call('PATCH /api/note/:id/', {
          params: { id: String(begun.id) },
          body: { revision: begun.revision, end: start },
        })
      : await call('POST /api/note/', { body: { video, kind: 'bookmark', start } });
    open = begun ? null : bookmark;
    const [from, to] = [durationText(bookmark.start ?? 0), durationText(start)];
    showToast(begun ? t`Bookmark from ${from} to ${to}.` : t`Bookmark at ${from}. Press B again to end its range.`, {
      action: {
        label: t`Undo`,
        run: () => {
          open = null;
          void remove(bookmark.id);
        },
      },
    });
    await queryClient.invalidateQueries({ queryKey: ['note'] });
  } catch (error) {
    open = null;
    showToast((error as Error).message, { isDanger: true });
  }
}
