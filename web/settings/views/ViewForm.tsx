import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { View, ViewLink, ViewPreset } from '#contract/view.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { usersQuery } from '#web/api/queries/user-admin.ts';
import type { ViewSettings } from '#web/api/queries/view.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Field, Select, Switch } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { FieldColumns } from '#web/setting-fields/FieldColumns.tsx';
import { ContentChoice } from './ContentChoice.tsx';
import { folderOf, nameFor, newView } from './new-view.ts';
import { Preview } from './Preview.tsx';
import { linkNames, presetNames } from './view-texts.ts';
import styles from './Views.module.css';

const settingsOf = (view: View): ViewSettings => ({
  name: view.name,
  root: view.root,
  preset: view.preset,
  template: view.template,
  content: { type: view.content.type, ...(view.content.id !== null && { id: view.content.id }) },
  link: view.link,
  nfo: view.nfo,
  artwork: view.artwork,
  subtitles: view.subtitles,
  chapters: view.chapters,
  person: view.person,
});

interface Props {
  /** The view to change; null for a new one. */
  view: View | null;
  /** Folder that views must be in. */
  folder: string;
  presets: Record<string, string>;
  /** The views that exist. */
  views: View[];
  onAdded(view: View): void;
  onDone(): void;
}

/** Creates a view and builds it, or changes one. */
export function ViewForm({ view, folder, presets, views, onAdded, onDone }: Props) {
  const { t } = useLingui();
  const [initial] = useState(view ? settingsOf(view) : { ...newView, ...nameFor(newView.preset, views) });
  const [settings, setSettings] = useState(initial);
  // A name or folder that was typed is kept; others follow from the file names.
  const [isNamed, setIsNamed] = useState(view !== null);
  const [hasFolder, setHasFolder] = useState(view !== null);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const { data: people = [] } = useQuery(usersQuery);
  const set = (change: Partial<ViewSettings>) => setSettings({ ...settings, ...change });
  const save = useMutation({
    mutationFn: async () => {
      if (view) return call('POST /api/view/:id/', { params: { id: String(view.id) }, body: settings });
      const created = await call('POST /api/view/', { body: settings });
      await call('POST /api/view/:id/build/', { params: { id: String(created.id) }, body: {} });
      onAdded(created);
      return created;
    },
    onSuccess: onDone,
    onSettled: () => invalidateTopics('view'),
  });
  return (
    <Section id="view-form" title={view ? t`Change ${view.name}` : t`Add view`}>
      <Form
        noValidate
        onSubmit={() => {
          const isComplete =
            settings.name.trim() !== '' &&
            settings.root.trim() !== '' &&
            (settings.preset !== 'custom' || Boolean(settings.template));
          setIsIncomplete(!isComplete);
          if (isComplete) save.mutate();
        }}
      >
        <FieldColumns>
          <Field
            label={t`Name`}
            value={settings.name}
            autoFocus
            required
            maxLength={100}
            autoComplete="off"
            onChange={({ target: { value: name } }) => {
              setIsNamed(true);
              set({ name, ...(!hasFolder && { root: folderOf(name) }) });
            }}
          />
          <Field
            label={t`Folder`}
            value={settings.root}
            required
            disabled={view !== null}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            help={view === null && t`Below ${folder}`}
            onChange={(event) => {
              setHasFolder(true);
              set({ root: event.target.value });
            }}
          />
          <Select
            label={t`File names`}
            choices={Object.entries(presetNames).map(([value, label]) => ({ value, label: t(label) }))}
            value={settings.preset}
            onChange={(event) => {
              const preset = event.target.value as ViewPreset;
              const proposed = nameFor(preset, views);
              set({
                ...(!isNamed && { name: proposed.name, ...(!hasFolder && { root: proposed.root }) }),
                preset,
                template: preset === 'custom' ? (presets[settings.preset] ?? settings.template ?? null) : null,
              });
            }}
          />
          <Select
            label={t`Link type`}
            choices={Object.entries(linkNames).map(([value, label]) => ({ value, label: t(label) }))}
            value={settings.link}
            help={settings.link === 'copy' ? t`Copies need the space of the videos again.` : undefined}
            onChange={(event) => set({ link: event.target.value as ViewLink })}
          />
        </FieldColumns>
        {settings.preset === 'custom' && (
          <Field
            label={t`Template`}
            value={settings.template ?? ''}
            required
            maxLength={500}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            help={
              <>
                <Trans>A slash separates folders. Fields:</Trans>{' '}
                <code>
                  {
                    '{title:80} {id} {channel} {channel_id} {playlist|"None"} {position:3} {season} {episode:2} {published:yyyy-MM-dd} {downloaded} {kind} {site} {height}'
                  }
                </code>
              </>
            }
            onChange={(event) => set({ template: event.target.value })}
          />
        )}
        <FieldColumns>
          <ContentChoice
            content={settings.content ?? { type: 'all' }}
            name={view && view.content.id === settings.content?.id ? view.content.name : null}
            onChange={(content) => set({ content })}
          />
        </FieldColumns>
        <Preview settings={settings} />
        <div className={styles.switches}>
          <Switch
            label={t`NFO files`}
            help={t`Titles, dates, descriptions and tags for the media server`}
            isOn={settings.nfo === true}
            onChange={(nfo) => set({ nfo })}
          />
          <Switch
            label={t`Artwork`}
            help={t`Thumbnails of videos, and posters of channels`}
            isOn={settings.artwork === true}
            onChange={(artwork) => set({ artwork })}
          />
          <Switch
            label={t`Chapters`}
            help={t`Writes chapters and sponsor segments into copies of the videos that have them, which need their space again`}
            isOn={settings.chapters === true}
            onChange={(chapters) => set({ chapters })}
          />
        </div>
        <FieldColumns>
          <Select
            label={t`Subtitles`}
            choices={[
              { value: 'srt', label: 'SRT' },
              { value: 'vtt', label: 'WebVTT' },
              { value: 'none', label: t`None` },
            ]}
            value={settings.subtitles}
            onChange={(event) => set({ subtitles: event.target.value as View['subtitles'] })}
          />
          <Select
            label={t`Watched state of`}
            help={t`Written to the NFO files while that user agrees in their settings`}
            disabled={!settings.nfo}
            choices={[{ value: '', label: t`No one` }, ...people.map(({ id, name }) => ({ value: String(id), label: name }))]}
            value={settings.person ?? ''}
            onChange={(event) => set({ person: event.target.value ? Number(event.target.value) : null })}
          />
        </FieldColumns>
        <UnsavedChanges isChanged={JSON.stringify(settings) !== JSON.stringify(initial)} />
        {isIncomplete && <Callout kind="danger">{t`Enter a name, a folder and, for a custom template, the template.`}</Callout>}
        {save.isError && <Callout kind="danger">{save.error.message}</Callout>}
        <ActionRow>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {view ? <Trans>Save</Trans> : <Trans>Add and build</Trans>}
          </Button>
          <Button onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
        </ActionRow>
      </Form>
    </Section>
  );
}
