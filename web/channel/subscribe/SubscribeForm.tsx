import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { splitLines, useFailedLines } from '#web/runs/use-failed-lines.ts';
import { AutoGrowTextArea } from '#web/ui/AutoGrowTextArea.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { SubscribeDialog } from './SubscribeDialog.tsx';
import type { SubscriptionChoices } from '../../api/queries/channel.ts';

/** Form that subscribes to channels or playlists, one per line. Lines that fail stay in the form with their reason. */
export function SubscribeForm({
  label,
  start,
}: {
  label: string;
  /** Starts the subscribe task. */
  start(lines: string[], choices: SubscriptionChoices): Promise<{ task_id?: string | undefined }>;
}) {
  const { t } = useLingui();
  const showToast = useToast();
  const [text, setText] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const restoreFailedLines = useCallback((lines: string[]) => setText((now) => [...lines, ...splitLines(now)].join('\n')), []);
  const { failed, follow } = useFailedLines(restoreFailedLines);
  const subscribe = useMutation({
    mutationFn: (choices: SubscriptionChoices) => start(splitLines(text), choices),
    onSuccess: ({ task_id: id }) => {
      follow(id, splitLines(text));
      setText('');
      showToast(t`Looking up the links…`);
    },
    onError: (error) => showToast(error.message, { isDanger: true }),
  });
  return (
    <>
      <AutoGrowTextArea
        label={label}
        action={t`Subscribe`}
        text={text}
        failed={failed}
        isBusy={subscribe.isPending}
        onText={setText}
        onSubmit={() => setIsAsking(true)}
      />
      {isAsking && (
        <SubscribeDialog
          onSubscribe={(choices) => {
            setIsAsking(false);
            subscribe.mutate(choices);
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
