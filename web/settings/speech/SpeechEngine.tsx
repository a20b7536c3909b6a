import { Trans, useLingui } from '@lingui/react/macro';
import { IconAlertTriangle, IconLanguage } from '@tabler/icons-react';
import { useState } from 'react';
import type { HubModel, Speech, SpeechModel, SpeechTest } from '#contract/speech.ts';
import { useConfig } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { useAction } from '#web/confirm/use-action.ts';
import { decimalText, sizeText } from '#web/format/numbers.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Select } from '#web/ui/Field.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { EngineActions } from './EngineActions.tsx';

/** Download and memory while it works, in MB. */
const sizes: Record<HubModel, [download: number, memory: number]> = {
  base: [150, 400],
  small: [490, 900],
  medium: [1530, 2200],
  'large-v3-turbo': [1620, 2300],
};
const hubModels = Object.keys(sizes) as HubModel[];

/** What a model understood of a recording, and what that took. */
function TestResult({ result: { text, speed, memory } }: { result: SpeechTest }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  return (
    <div role="status">
      <p lang="en">“{text}”</p>
      <p>{t`Ten seconds of a recording. Speed: ${decimalText(speed, 1)} × real time. Memory: ${sizeText(memory, unit)}.`}</p>
    </div>
  );
}

function ModelRow({ model, hasEngine }: { model: SpeechModel; hasEngine: boolean }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const { name, bytes, problem, problem_messages: messages } = model;
  const test = useAction(() => call('POST /api/speech/test/', { body: { name } }));
  return (
    <EntryRow
      icon={problem ? <IconAlertTriangle aria-hidden /> : <IconLanguage aria-hidden />}
      name={name}
      isDisabled={problem !== null}
      facts={
        <>
          {bytes > 0 && <span>{sizeText(bytes, unit)}</span>}
          <span>{model.is_english_only ? <Trans>English only</Trans> : <Trans>99 languages</Trans>}</span>
        </>
      }
      more={problem ? <p>{messageText(messages, problem)}</p> : test.data && <TestResult result={test.data} />}
    >
      {problem === null && hasEngine && (
        <Button size="s" isBusy={test.isPending} aria-label={t`Test ${name}`} onClick={() => test.mutate()}>
          <Trans>Test</Trans>
        </Button>
      )}
    </EntryRow>
  );
}

function DownloadModel({ models }: { models: SpeechModel[] }) {
  const { t } = useLingui();
  const showToast = useToast();
  const missing = hubModels.filter((name) => !models.some((model) => model.name === name));
  const [chosen, setChosen] = useState<HubModel>();
  const name = chosen && missing.includes(chosen) ? chosen : missing[0];
  const download = useAction((model: HubModel) => call('POST /api/speech/model/', { body: { name: model } }), {
    onSuccess: () => showToast(t`Download started.`),
  });
  if (!name) return null;
  const label = (model: HubModel) => t`${model}: ${sizes[model][0]} MB, ${sizes[model][1]} MB of memory`;
  return (
    <ActionRow>
      <Select
        label={t`Model to download`}
        isLabelHidden
        value={name}
        onChange={({ target }) => setChosen(target.value as HubModel)}
        choices={missing.map((model) => ({ value: model, label: label(model) }))}
      />
      <Button size="s" isBusy={download.isPending} onClick={() => download.mutate(name)}>
        <Trans>Download</Trans>
      </Button>
    </ActionRow>
  );
}

/** The program that runs speech models, and the models. */
export function SpeechEngine({ speech: { engine, models, folder } }: { speech: Speech }) {
  const { t } = useLingui();
  return (
    <>
      <p>
        {engine.is_configured
          ? engine.version
            ? t`The engine is that of REELKEEP_MODELS_PYTHON.`
            : t`The Python that REELKEEP_MODELS_PYTHON names cannot be started.`
          : engine.version
            ? t`faster-whisper ${engine.version} is installed.`
            : t`The speech engine, faster-whisper, is not installed. It is a download of 90 MB and takes 310 MB.`}
      </p>
      <EngineActions engine={engine} onAct={(action) => call('POST /api/speech/engine/', { body: { action } })} />
      {models.length > 0 && (
        <ul>
          {models.map((model) => (
            <ModelRow key={model.name} model={model} hasEngine={engine.version !== null} />
          ))}
        </ul>
      )}
      <DownloadModel models={models} />
      <Muted>
        <Trans>
          Models are in <code>{folder}</code>. Other Whisper models in CTranslate2 format can be copied there, each in a folder.
        </Trans>
      </Muted>
    </>
  );
}
