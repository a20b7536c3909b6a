import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import type { Home } from '#contract/home.ts';
import { formatPresets, type Settings } from '#contract/settings.ts';
import { useIsStaff } from '#web/api/account.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Field } from '#web/ui/Field.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { languageName } from '#web/format/language-name.ts';
import { AddVideos } from './AddVideos.tsx';
import { RadioCards } from '#web/ui/RadioCards.tsx';
import styles from './FirstRun.module.css';

type Preset = (typeof formatPresets)[number]['name'];
type Subtitles = 'interface' | 'all' | 'none' | 'other';
type Changes = Parameters<typeof call<'POST /api/appsettings/config/'>>[1]['body'];

/** Saves all answers in one request, so that they apply together or not at all. */
const saveAnswers = async (changes: Changes) => {
  const body: Changes = { ...changes, application: { setup_done: true } };
  queryClient.setQueryData(settingsQuery.queryKey, await call('POST /api/appsettings/config/', { body }));
  // Otherwise the home page would lead back here.
  queryClient.setQueriesData<Home>({ queryKey: ['video', 'home'] }, (home) => home && { ...home, needs_setup: false });
};

function Questions({ settings }: { settings: Settings }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { downloads, subscriptions, application } = settings;
  const ownLanguage = `${i18n.locale},original`;
  const savedPreset = formatPresets.find(({ format }) => format === downloads.format)?.name;
  // A custom format stays unless a preset is chosen.
  const isCustom = savedPreset === undefined;
  const [preset, setPreset] = useState<Preset | 'custom'>(savedPreset ?? 'custom');
  const [subtitles, setSubtitles] = useState<Subtitles>(() => {
    if (!application.setup_done || downloads.subtitle === ownLanguage) return 'interface';
    return downloads.subtitle === null ? 'none' : downloads.subtitle === 'all' ? 'all' : 'other';
  });
  const [otherSubtitles, setOtherSubtitles] = useState(downloads.subtitle ?? '');
  const [isAutomatic, setIsAutomatic] = useState(application.setup_done ? subscriptions.auto_start : true);
  const save = useMutation({ mutationFn: saveAnswers });
  const subtitle = { interface: ownLanguage, all: 'all', none: null, other: otherSubtitles.trim() || null }[subtitles];
  const answers = (): Changes => ({
    downloads: {
      ...(preset !== 'custom' && { format: formatPresets.find(({ name }) => name === preset)!.format }),
      subtitle,
    },
    subscriptions: { auto_start: isAutomatic },
  });
  const goHome = (changes: Changes) => save.mutate(changes, { onSuccess: () => void navigate('/') });
  const language = languageName(i18n.locale, i18n.locale);
  return (
    <>
      <Form className={styles.form} onSubmit={() => goHome(answers())}>
        <RadioCards
          legend={t`Which quality do you want to keep?`}
          value={preset}
          onChange={setPreset}
          choices={[
            { value: 'best', label: t`Best quality`, help: t`Everything the source has. Largest files.` },
            { value: '1080p', label: t`Up to 1080p, MP4`, help: t`Plays on almost every device.` },
            { value: '720p', label: t`Up to 720p, MP4`, help: t`About half the size of 1080p.` },
            { value: 'audio', label: t`Audio only`, help: t`Music and podcasts without a picture.` },
            ...(isCustom ? [{ value: 'custom' as const, label: t`Custom format` }] : []),
          ]}
        />
        <RadioCards
          legend={t`Which subtitles?`}
          value={subtitles}
          onChange={setSubtitles}
          choices={[
            { value: 'interface', label: t`${language} and the language of the video`, help: t`Makes spoken words searchable.` },
            { value: 'all', label: t`All languages`, help: t`Many small files per video.` },
            { value: 'none', label: t`None`, help: t`Spoken words cannot be searched.` },
            { value: 'other', label: t`Other languages…` },
          ]}
        >
          {subtitles === 'other' && (
            <Field
              label={t`Subtitle languages`}
              help={t`Comma-separated, for example en,de. “original” is the language of the video, “all” is every language.`}
              value={otherSubtitles}
              maxLength={500}
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setOtherSubtitles(event.target.value)}
            />
          )}
        </RadioCards>
        <RadioCards
          legend={t`What happens with new uploads of your subscriptions?`}
          value={isAutomatic ? 'download' : 'list'}
          onChange={(choice) => setIsAutomatic(choice === 'download')}
          choices={[
            { value: 'download', label: t`Download automatically` },
            { value: 'list', label: t`Only list in the queue`, help: t`You choose what is downloaded.` },
          ]}
        />
        {save.isError && <Callout kind="danger">{save.error.message}</Callout>}
        <div className={styles.actions}>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            <Trans>Save</Trans>
          </Button>
          <Button kind="quiet" disabled={save.isPending} onClick={() => goHome({})}>
            <Trans>Skip</Trans>
          </Button>
        </div>
      </Form>
      <section className={styles.start} aria-labelledby="start">
        <h2 id="start">
          <Trans>Add your first videos</Trans>
        </h2>
        <p>
          <Trans>Your answers are saved with the next step.</Trans>
        </p>
        <AddVideos before={() => save.mutateAsync(answers())} />
      </section>
    </>
  );
}

/** Asks a new archive about quality, subtitles and new uploads, and offers the ways to fill it. */
export function FirstRun() {
  const { t } = useLingui();
  const isStaff = useIsStaff();
  const query = useQuery(settingsQuery);
  useTitle(t`Set up your archive`);
  if (!isStaff) return <Navigate to="/" replace />;
  return (
    <div className={styles.page}>
      <header>
        <h1>
          <Trans>Set up your archive</Trans>
        </h1>
        <p>
          <Trans>Three questions. You can change the answers in the settings at any time.</Trans>
        </p>
      </header>
      <QueryBoundary query={query} skeleton={480}>
        {(settings) => <Questions settings={settings} />}
      </QueryBoundary>
    </div>
  );
}
