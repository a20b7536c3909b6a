import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChapterEvaluation } from '#contract/chapters.ts';
import { call } from '#web/api/call.ts';
import { chaptersQuery } from '#web/api/queries/chapters.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { dayText } from '#web/format/dates.ts';
import { percentText, videosText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';

function Evaluation({ evaluation }: { evaluation: ChapterEvaluation }) {
  // Rounded against them, as in the messages of the server.
  const found = percentText(Math.floor(evaluation.found * 100 + 1e-9) / 100);
  const even = percentText(Math.max(0, Math.ceil(evaluation.even * 100 - 1e-9)) / 100);
  const [videos, day] = [videosText(evaluation.videos), dayText(evaluation.evaluated_at)];
  return (
    <>
      <p>
        <Trans>
          {found} of chapter starts found within 15 s, evenly spaced ones: {even}.
        </Trans>
      </p>
      <Muted>
        <Trans>
          Compared with the chapters of the sites in {videos}, {day}. Missed and wrong starts count alike.
        </Trans>
      </Muted>
    </>
  );
}

/** How good generated chapters are in this archive, and how many there are. */
export function GeneratedChapters() {
  const { t } = useLingui();
  const client = useQueryClient();
  const settings = useQuery(settingsQuery).data;
  const isOn = settings?.chapters.generate === true;
  const query = useQuery(chaptersQuery);
  const evaluate = useAction(() => call('POST /api/chapters/evaluation/', {}), {
    onSuccess: () => client.invalidateQueries({ queryKey: chaptersQuery.queryKey }),
  });
  return (
    <QueryBoundary query={query} skeleton={64}>
      {({ evaluation, problem, problem_messages: messages, is_evaluating: isEvaluating, videos, queue }) => {
        const [count, waiting] = [videosText(videos), videosText(queue)];
        return (
          <>
            {evaluation && evaluation.videos > 0 && <Evaluation evaluation={evaluation} />}
            {problem && <p>{messageText(messages, problem)}</p>}
            {isOn && (
              <Muted>
                <Trans>{count} with generated chapters.</Trans> {queue > 0 && t`${waiting} to do.`}
              </Muted>
            )}
            {settings?.meaning.enabled && (
              <ActionRow>
                <Button size="s" isBusy={evaluate.isPending || isEvaluating} onClick={() => evaluate.mutate()}>
                  {isEvaluating ? (
                    <Trans>Evaluating…</Trans>
                  ) : evaluation ? (
                    <Trans>Evaluate again</Trans>
                  ) : (
                    <Trans>Evaluate</Trans>
                  )}
                </Button>
              </ActionRow>
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}
