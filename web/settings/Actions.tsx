import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { startTask } from '#web/downloads/queries.ts';
import { TaskNotices } from '#web/downloads/TaskNotices.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Backups } from './Backups.tsx';
import { Section } from './Section.tsx';
import cards from './Settings.module.css';
import { Snapshots } from './Snapshots.tsx';
import { StartedRun } from './StartedRun.tsx';
import { useIsRunning } from './task-state.ts';

interface Wishes {
  ignore_error: boolean;
  prefer_local: boolean;
  /** Only an import knows it. */
  leave_files?: boolean;
}

interface Of {
  id: string;
  title: string;
  words: string;
  /** Said while it goes on. */
  busy: string;
  group: string;
  button: string;
  start(options: Wishes & { dry_run: boolean }): Promise<{ task_id: string }>;
  /** Switches, with what they say. */
  switches?: Partial<Record<keyof Wishes, string>>;
}

/** Something that is started by hand, perhaps only to hear what it would do. */
function Action({ id, title, words, busy, group, button, start, switches }: Of) {
  const { t } = useLingui();
  const [wishes, setWishes] = useState<Wishes>({ ignore_error: false, prefer_local: false });
  const isRunning = useIsRunning(group);
  const begin = useMutation({ mutationFn: (isDry: boolean) => start({ ...wishes, dry_run: isDry }) });
  return (
    <Section id={id} title={title} words={words}>
      {(Object.entries(switches ?? {}) as [keyof Wishes, string][]).map(([name, label]) => (
        <Switch
          key={name}
          label={label}
          isOn={wishes[name] ?? false}
          onChange={(isOn) => setWishes({ ...wishes, [name]: isOn })}
        />
      ))}
      {isRunning && <Note>{busy}</Note>}
      {begin.isError && <Note kind="danger">{begin.error.message}</Note>}
      {begin.data && <StartedRun id={begin.data.task_id} />}
      <div className={cards.actions}>
        <Button disabled={isRunning} isBusy={begin.isPending} onClick={() => begin.mutate(false)}>
          {button}
        </Button>
        {switches && (
          <Button
            disabled={isRunning}
            isBusy={begin.isPending}
            onClick={() => begin.mutate(true)}
            aria-label={t`Only say what it would do: ${title}`}
          >
            {t`Only say what it would do`}
          </Button>
        )}
      </div>
    </Section>
  );
}

/** What can be done for the archive by hand. */
export function Actions() {
  const { t } = useLingui();
  return (
    <div className={cards.cards}>
      <TaskNotices />
      <Action
        id="import"
        title={t`Manual import`}
        words={t`Brings in what lies in the import folder of the data folder: videos with what stands beside them.`}
        busy={t`Processing import`}
        group="setting:import"
        button={t`Start import`}
        switches={{
          prefer_local: t`What stands beside a file goes before what its site says now`,
          ignore_error: t`Bring in a file whose length is not that of its video`,
          leave_files: t`Leave the files in the import folder as they are`,
        }}
        start={(body) => call('POST /api/appsettings/manual-import/', { body })}
      />
      <Action
        id="thumbnails"
        title={t`Embed thumbnails`}
        words={t`Writes the thumbnail into every file that has none. Nothing is encoded anew.`}
        busy={t`Embedding thumbnails`}
        group="setting:thumbnailsync"
        button={t`Start embedding`}
        start={() => startTask('resync_thumbs')}
      />
      <Backups />
      <Snapshots />
      <Action
        id="rescan"
        title={t`Rescan filesystem`}
        words={t`Compares the archive with the disk: finds files that were moved, came, changed or are missing.`}
        busy={t`File system scan in progress`}
        group="setting:filesystemscan"
        button={t`Start rescan`}
        switches={{ prefer_local: t`What stands beside a file goes before what its site says now` }}
        start={(body) => call('POST /api/appsettings/rescan-filesystem/', { body })}
      />
    </div>
  );
}
