import { useAction } from '#web/confirm/use-action.ts';
import { useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { call } from '#web/api/call.ts';
import { invalidateTopics, queryClient } from '#web/api/client.ts';
import { pathOfChannel, pathOfPlaylist, pathOfVideo } from '#web/api/paths.ts';
import type { SubscriptionChoices } from '#web/api/queries/channel.ts';
import { resolveQuery, type Resolved, type ResolvedItem } from '#web/api/queries/resolve.ts';
import { keepChoices } from '#web/subscription/SubscriptionFields.tsx';
import { splitLines } from '#web/runs/use-failed-lines.ts';
import { useToast } from '#web/ui/toasts.tsx';
import { planActions, subscriptionKind, type Place } from './plan-actions.ts';

export type Action = 'primary' | 'download' | 'queue' | 'subscribe';

/** Returns the page of what is in the archive; null for what is not. */
export function pathOf({ id, what, state }: ResolvedItem): string | null {
  if (!id || !['archived', 'subscribed', 'known'].includes(state)) return null;
  if (state === 'archived') return pathOfVideo({ youtube_id: id });
  return what === 'playlist' ? pathOfPlaylist(id) : pathOfChannel(id);
}

const subscribe = (lines: string[], kind: 'channel' | 'playlist', choices: SubscriptionChoices) =>
  kind === 'channel'
    ? call('POST /api/channel/', {
        body: { data: lines.map((line) => ({ channel_id: line, channel_subscribed: true })), ...choices },
      })
    : call('POST /api/playlist/', {
        body: { data: lines.map((line) => ({ playlist_id: line, playlist_subscribed: true })), ...choices },
      });

/** Adds links to the queue. Ignored videos are only put back by their id. */
async function download(items: ResolvedItem[], autostart: boolean, flat: boolean) {
  const ignored = items.filter(({ state, id }) => state === 'ignored' && id !== null);
  for (const { id } of ignored)
    await call('POST /api/download/:id/', { params: { id: id! }, body: { status: autostart ? 'priority' : 'pending' } });
  const lines = items.filter((item) => !ignored.includes(item)).map(({ text }) => text);
  return lines.length > 0 ? addToQueue(lines.join('\n'), autostart, flat) : {};
}

const addToQueue = (text: string, autostart: boolean, flat: boolean) =>
  call('POST /api/download/', { query: { autostart, flat }, body: { data: [{ youtube_id: text, status: 'pending' }] } });

interface Options {
  place: Place;
  choices: SubscriptionChoices;
  isFast: boolean;
  before?: (() => Promise<unknown>) | undefined;
  /** Receives the tasks that process the lines, and the items that they are not for. */
  onStarted(taskIds: string[], lines: string[], rest: Resolved['items'] | null): void;
  onOpened(): void;
}

/** Runs the actions for what a text points to. Errors are shown as toasts. */
export function useAddActions({ place, choices, isFast, before, onStarted, onOpened }: Options) {
  const { t } = useLingui();
  const showToast = useToast();
  const navigate = useNavigate();
  return useAction(async ({ text, action }: { text: string; action: Action }) => {
    // The action may be faster than the preview.
    const resolved = await queryClient.fetchQuery({ ...resolveQuery(text), staleTime: 5000 });
    const plan = planActions(resolved, place);
    const chosen = action === 'primary' ? plan.primary : action;
    if (!chosen) return;
    try {
      await before?.();
    } catch {
      return; // the caller reports it
    }
    if (chosen === 'open') {
      const path = plan.open && pathOf(plan.open);
      onOpened();
      if (path) await navigate(path);
      return;
    }
    const isSubscribing = chosen === 'subscribe';
    const items = isSubscribing ? plan.subscriptions : plan.downloads;
    const lines = plan.isWholeText ? splitLines(text) : items.map((item) => item.text);
    const rest = plan.isWholeText ? null : resolved.items.filter((item) => !items.includes(item) && item.state !== 'archived');
    const tasks: { task_id?: string | undefined }[] = [];
    if (isSubscribing) {
      keepChoices(choices);
      const kindOf = (item: ResolvedItem) => subscriptionKind(item, place);
      for (const kind of ['channel', 'playlist'] as const) {
        const some = items.filter((item) => kindOf(item) === kind).map((item) => item.text);
        const wholeKind = place === 'playlist' ? 'playlist' : 'channel';
        const own = plan.isWholeText ? (kind === wholeKind ? lines : []) : some;
        if (own.length > 0) tasks.push(await subscribe(own, kind, choices));
      }
    } else {
      const starts = chosen === 'download';
      tasks.push(await (plan.isWholeText ? addToQueue(text, starts, isFast) : download(items, starts, isFast)));
    }
    onStarted(
      tasks.flatMap(({ task_id: id }) => id ?? []),
      lines,
      rest,
    );
    showToast(t`Looking up the links…`);
    void invalidateTopics('download');
  });
}
