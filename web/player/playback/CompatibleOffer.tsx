import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Video } from '#contract/video.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { runQuery } from '#web/api/queries/run.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { audioSource } from '../audio/audio-source.ts';
import { playbackError } from './playback-error.ts';

const pollMs = 2_000;

/** The player of a phone may be too small for everything. */
const reveal = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' });

/** Button for staff that fetches a copy which plays everywhere from the source, and plays it when it is there. */
export function CompatibleOffer({ video: { youtube_id: id, active } }: { video: Video }) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const start = useMutation({ mutationFn: () => call('POST /api/video/copies/', { body: { ids: [id] } }) });
  const run = useQuery({
    ...runQuery(start.data?.task_id ?? ''),
    enabled: start.isSuccess,
    refetchInterval: ({ state }) => (state.data && state.data.ended !== null ? false : pollMs),
  }).data;
  const problem = run?.notes.find(({ kind, youtube_id }) => kind === 'problem' && youtube_id === id);
  const isReady = run?.status === 'success' && !problem;
  useEffect(() => {
    if (!isReady) return;
    // The earlier answer first: with it the error would be set again.
    audioSource.set({ playback: null, attempt: audioSource.get().attempt + 1 });
    playbackError.set({ kind: null, at: 0 });
  }, [isReady]);
  if (!isStaff || !active) return null;
  if (problem)
    return (
      <span role="status" ref={reveal}>
        <Trans>The compatible copy could not be fetched.</Trans> {messageText(problem.why_messages, problem.why ?? '')}
      </span>
    );
  if (run && run.ended !== null && !isReady)
    return <span role="status">{messageText(run.result_messages, run.result ?? t`The task was stopped.`)}</span>;
  if (start.isSuccess)
    return (
      <span role="status">
        <Trans>A compatible copy is being fetched. It plays here when it is ready.</Trans>
      </span>
    );
  return (
    <button type="button" disabled={start.isPending} onClick={() => start.mutate()}>
      {start.isError ? t`Fetch a compatible copy: ${start.error.message}` : t`Fetch a compatible copy`}
    </button>
  );
}
