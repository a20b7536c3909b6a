import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Transcription } from '#contract/speech.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { transcriptionQuery } from '#web/api/queries/speech.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { soonText } from '#web/format/dates.ts';
import { durationText } from '#web/format/numbers.ts';
import { spokenLanguages } from '#web/format/spoken-languages.ts';
import { workText } from '#web/format/work-text.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { seekTo } from '#web/player/state/player-store.ts';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ProgressBar } from '#web/tasks/ProgressBar.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Select } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import styles from './NoTranscript.module.css';

/** Choice of a language and a button that requests a transcript. */
function Request({ label, onRequest, isBusy }: { label: string; onRequest(lang: string): void; isBusy: boolean }) {
  const { t, i18n } = useLingui();
  const [lang, setLang] = useState('');
  return (
    <div className={styles.request}>
      <Select
        label={t`Spoken language`}
        value={lang}
        onChange={({ target }) => setLang(target.value)}
        choices={[{ value: '', label: t`Recognize` }, ...spokenLanguages(i18n.locale)]}
      />
      <Button isBusy={isBusy} onClick={() => onRequest(lang)}>
        {label}
      </Button>
    </div>
  );
}

/** The finished part of a transcript that is being made. */
const FinishedLines = ({ lines }: Pick<Transcription, 'lines'>) => (
  <ol className={styles.lines}>
    {lines.map(({ start, text }) => (
      <li key={start}>
        <button type="button" onClick={() => seekTo(start)}>
          <span>{durationText(start)}</span> {text}
        </button>
      </li>
    ))}
  </ol>
);

function Waiting({
  data,
  durationSeconds,
  runNow,
}: {
  data: Transcription;
  durationSeconds: number;
  runNow: ReturnType<typeof useRequest>;
}) {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const time = data.starts_at && soonText(data.starts_at);
  const work = data.work && workText(data.work);
  return (
    <>
      <p>
        {time ? <Trans>Queued for {time}.</Trans> : <Trans>Queued.</Trans>} {work && t`About ${work} of work.`}
      </p>
      {data.done > 0 && <ProgressBar label={t`Transcribed`} progress={Math.min(1, data.done / durationSeconds)} />}
      {time && isStaff && (
        <Button isBusy={runNow.isPending} onClick={() => runNow.mutate({ now: true })}>
          <Trans>Run now</Trans>
        </Button>
      )}
    </>
  );
}

function useRequest(id: string) {
  return useAction(
    (body: { lang?: string; now?: boolean }) => call('POST /api/video/:id/transcribe/', { params: { id }, body }),
    {
      onSuccess: (data) => queryClient.setQueryData(transcriptionQuery(id).queryKey, data),
    },
  );
}

/** In place of the transcript of a video without captions: requests one, and shows its progress. */
export function NoTranscript({ id, durationSeconds }: { id: string; durationSeconds: number }) {
  const { t } = useLingui();
  const query = useQuery(transcriptionQuery(id));
  const request = useRequest(id);
  const isStaff = useIsStaff();
  const generate = (label: string) => (
    <Request label={label} isBusy={request.isPending} onRequest={(lang) => request.mutate(lang === '' ? {} : { lang })} />
  );
  return (
    <section className={styles.panel} aria-label={t`Transcript`}>
      <QueryBoundary query={query} skeleton={120}>
        {(data) => {
          const why = data.why && messageText(data.why_messages, data.why);
          if (data.state === 'running') {
            const [done, total] = [durationText(data.done), durationText(durationSeconds)];
            return (
              <>
                <p>
                  <Trans>
                    Transcribing: {done} of {total}
                  </Trans>
                </p>
                <ProgressBar label={t`Transcribed`} progress={Math.min(1, data.done / durationSeconds)} />
                <FinishedLines lines={data.lines} />
              </>
            );
          }
          if (data.state === 'queued')
            return why ? (
              <Callout kind="danger">{why}</Callout>
            ) : (
              <Waiting data={data} durationSeconds={durationSeconds} runNow={request} />
            );
          if (data.state === 'failed')
            return (
              <>
                <Callout kind="danger">{why}</Callout>
                {generate(t`Try again`)}
              </>
            );
          if (data.state === 'no_speech')
            return (
              <Muted>
                <Trans>No speech was found in this video.</Trans>
              </Muted>
            );
          if (data.state === 'done')
            return (
              <Muted>
                <Trans>The transcript is ready.</Trans>
              </Muted>
            );
          return (
            <>
              <p>
                <Trans>No captions.</Trans>
              </p>
              {why && !isStaff ? (
                <Muted>{why}</Muted>
              ) : why ? (
                <Muted>
                  {t`The server can write what is said.`}{' '}
                  <Link to="/settings/application/transcripts/">{t`Set up transcripts`}</Link>
                </Muted>
              ) : (
                generate(t`Generate transcript`)
              )}
            </>
          );
        }}
      </QueryBoundary>
    </section>
  );
}
