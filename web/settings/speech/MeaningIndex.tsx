import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Meaning } from '#contract/meaning.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { meaningQuery } from '#web/api/queries/meaning.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { languageName } from '#web/format/language-name.ts';
import { exactText, percentText, sizeText, videosText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { EngineActions } from './EngineActions.tsx';

/** Download, and what it takes unpacked, in MB. */
const sizes: Record<Meaning['model'], [download: number, unpacked: number]> = { 'use-m3': [50, 110], e5: [110, 170] };

/** The program with the model: install, update, roll back. */
function Engine({ engine, model }: Pick<Meaning, 'engine' | 'model'>) {
  const { t } = useLingui();
  const [download, unpacked] = sizes[model];
  return (
    <>
      <p>
        {engine.is_configured
          ? t`The model is run by the Python of REELKEEP_MODELS_PYTHON.`
          : engine.version
            ? t`The model ${model} ${engine.version} is installed.`
            : t`The model ${model} is not installed. It is a download of ${download} MB and takes ${unpacked} MB.`}
      </p>
      <EngineActions engine={engine} onAct={(action) => call('POST /api/meaning/engine/', { body: { action } })} />
    </>
  );
}

/** How much is in the index, and what is not. */
function Progress({ meaning }: { meaning: Meaning }) {
  const { t, i18n } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const showToast = useToast();
  const rebuild = useAction(() => call('POST /api/meaning/rebuild/', {}), {
    onSuccess: () => showToast(t`The index is built again.`),
  });
  const { model, active_model: activeModel, videos, queue, passages, bytes, uncovered, starts_at: startsAt } = meaning;
  const donePercent = percentText(Math.floor((100 * videos) / Math.max(1, videos + queue)) / 100);
  const [done, waiting, size] = [videosText(videos), videosText(queue), sizeText(bytes, unit)];
  const parts = exactText(passages);
  const others = uncovered.languages.map((lang) => languageName(lang, i18n.locale)).join(', ');
  const othersCount = videosText(uncovered.videos);
  const share = percentText(uncovered.videos / Math.max(1, videos));
  const { covered_by: better } = uncovered;
  const time =
    startsAt === null ? '' : new Date(startsAt * 1000).toLocaleTimeString(i18n.locale, { hour: '2-digit', minute: '2-digit' });
  return (
    <>
      <Muted>
        {videos === 0 && queue === 0 ? (
          <Trans>There are no transcripts yet.</Trans>
        ) : (
          <Trans>
            {done} with {parts} passages in the index, {size}.
          </Trans>
        )}{' '}
        {queue > 0 && startsAt === null && t`${waiting} to do.`}
        {queue > 0 && startsAt !== null && t`${waiting} to do, from ${time} on.`}{' '}
        {meaning.is_full && t`The index is full, so older videos are missing.`}
      </Muted>
      {activeModel !== model && (
        <p role="status">
          <Trans>
            {activeModel} answers until the index of {model} is complete ({donePercent}).
          </Trans>
        </p>
      )}
      {uncovered.videos > 0 && (
        <Muted>
          <Trans>
            The model {model} does not understand the transcripts of {othersCount} ({share}): {others}.
          </Trans>{' '}
          {better !== null && t`Choose the model ${better}.`}
        </Muted>
      )}
      {videos > 0 && (
        <ActionRow>
          <Button size="s" isBusy={rebuild.isPending} onClick={() => rebuild.mutate()}>
            <Trans>Build again</Trans>
          </Button>
        </ActionRow>
      )}
    </>
  );
}

/** The model and the index of the search by meaning. */
export function MeaningIndex() {
  const isOn = useQuery(settingsQuery).data?.meaning.enabled === true;
  const query = useQuery(meaningQuery);
  return (
    <QueryBoundary query={query} skeleton={64}>
      {(meaning) => (
        <>
          <Engine engine={meaning.engine} model={meaning.model} />
          {isOn && <Progress meaning={meaning} />}
          {isOn && meaning.problem && meaning.engine.is_configured && (
            <Callout kind="danger">{messageText(meaning.problem_messages, meaning.problem)}</Callout>
          )}
        </>
      )}
    </QueryBoundary>
  );
}
