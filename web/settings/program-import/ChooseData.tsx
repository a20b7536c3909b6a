import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { SourceProgram } from '#contract/program-import.ts';
import { callAddress } from '#web/api/call.ts';
import { uploadFile } from '#web/api/upload-file.ts';
import { Form } from '#web/ui/Form.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { Field, Select } from '#web/ui/Field.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { ActionRow } from '#web/ui/ActionRow.tsx';
import { programs } from './programs.ts';
import { programImportsQuery } from './queries.ts';
import styles from './ProgramImportPage.module.css';

/** Where the data is: part of the request. */
export interface ImportSource {
  address?: string;
  token?: string;
  path?: string;
  upload?: string;
  path_map: Record<string, string>;
}

const other = 'other path';

/** Uploads one file. */
function Upload({ onUploaded }: { onUploaded(upload: { upload: string; name: string } | null): void }) {
  const { t } = useLingui();
  const chooser = useRef<HTMLInputElement>(null);
  const abort = useRef<AbortController>(null);
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      abort.current = new AbortController();
      const address = callAddress('/api/migrate/upload/:filename/', { filename: file.name });
      const response = await uploadFile(address, file, { signal: abort.current.signal, onProgress: setProgress });
      return { ...((await response.json()) as { upload: string }), name: file.name };
    },
    onMutate: () => {
      setProgress(0);
      onUploaded(null);
    },
    onSuccess: onUploaded,
  });
  useEffect(() => () => abort.current?.abort(), []);
  return (
    <>
      <div className={styles.or}>
        <Button icon={<IconUpload aria-hidden />} isBusy={upload.isPending} onClick={() => chooser.current?.click()}>
          {t`Upload a file…`}
        </Button>
        {upload.isPending && <progress value={progress} max={1} aria-label={t`Upload of ${upload.variables.name}`} />}
        {upload.isSuccess && (
          <span role="status">
            <Trans>
              Uploaded: <bdi>{upload.data.name}</bdi>
            </Trans>
          </span>
        )}
      </div>
      {upload.isError && <Callout kind="danger">{upload.error.message}</Callout>}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={t`File to import from`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) upload.mutate(file);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Address and token of a running TubeArchivist. */
export function ChooseServer({
  isBusy,
  onChosen,
  onBack,
}: {
  isBusy: boolean;
  onChosen(source: ImportSource): void;
  onBack(): void;
}) {
  const { t } = useLingui();
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  return (
    <Form onSubmit={() => onChosen({ address: address.trim(), token: token.trim(), path_map: {} })}>
      <p>{t(programs.tubearchivist.data)}</p>
      <Field
        label={t`URL of TubeArchivist`}
        type="url"
        placeholder="http://tubearchivist.local:8000"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Field
        label={t`API token of TubeArchivist`}
        help={t`A private address must be listed in REELKEEP_ALLOW_PRIVATE. The token is deleted after the import.`}
        type="password"
        autoComplete="off"
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      <Actions isBusy={isBusy} isReady={address.trim() !== '' && token.trim() !== ''} onBack={onBack} />
    </Form>
  );
}

/** Starts the dry run, or goes back. */
function Actions({ isBusy, isReady, onBack }: { isBusy: boolean; isReady: boolean; onBack(): void }) {
  const { t } = useLingui();
  return (
    <>
      <ActionRow>
        <Button type="submit" kind="primary" disabled={!isReady} isBusy={isBusy}>
          {t`Check`}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onBack}>
          {t`Back`}
        </Button>
      </ActionRow>
      <Muted>
        <Trans>The check only reads. Nothing is imported yet.</Trans>
      </Muted>
    </>
  );
}

type Mapping = { from: string; to: string };

/** Where the folders of the other program are on this server. */
function PathMap({ maps, onChange }: { maps: Mapping[]; onChange(maps: Mapping[]): void }) {
  const { t } = useLingui();
  const set = (index: number, some: Partial<Mapping>) =>
    onChange(maps.map((one, place) => (place === index ? { ...one, ...some } : one)));
  return (
    <fieldset className={styles.step}>
      <legend className="hidden">{t`Folders of the video files`}</legend>
      <Muted>
        <Trans>
          To import video files, tell where the folder of the program is on this server. Leave it empty to import only the rest.
        </Trans>
      </Muted>
      {maps.map(({ from, to }, index) => (
        <div key={index} className={styles.maps}>
          <Field
            label={t`Folder in the other program`}
            value={from}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => set(index, { from: event.target.value })}
          />
          <Field
            label={t`The same folder on this server`}
            value={to}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => set(index, { to: event.target.value })}
          />
        </div>
      ))}
      <div>
        <Button size="s" icon={<IconPlus aria-hidden />} onClick={() => onChange([...maps, { from: '', to: '' }])}>
          {t`Add a folder`}
        </Button>
      </div>
    </fieldset>
  );
}

/** Second step: chooses the data of the program, and starts the dry run. */
export function ChooseData({
  program,
  isBusy,
  onChosen,
  onBack,
}: {
  program: SourceProgram;
  isBusy: boolean;
  onChosen(source: ImportSource): void;
  onBack(): void;
}) {
  const { t } = useLingui();
  const list = useQuery(programImportsQuery).data;
  const { data, folder } = programs[program];
  const [chosen, setChosen] = useState('');
  const [path, setPath] = useState('');
  const [upload, setUpload] = useState<{ upload: string; name: string } | null>(null);
  const [maps, setMaps] = useState<Mapping[]>(folder ? [{ from: folder, to: '' }] : []);
  const isTyped = chosen === other;
  const source = upload ? { upload: upload.upload } : { path: (isTyped ? path : chosen).trim() };
  const isReady = upload !== null || (source.path ?? '') !== '';
  const rootOf = list?.folders[0] ?? '';
  const choices = [
    { value: '', label: t`Choose…` },
    ...(list?.entries ?? []).map((entry) => ({
      value: entry.path,
      label: `${entry.path.startsWith(`${rootOf}/`) ? entry.path.slice(rootOf.length + 1) : entry.path}${entry.is_folder ? '/' : ''}`,
    })),
    { value: other, label: t`Enter a path…` },
  ];
  return (
    <Form
      onSubmit={() => {
        const wanted = maps.filter(({ from, to }) => from.trim() !== '' && to.trim() !== '');
        onChosen({ ...source, path_map: Object.fromEntries(wanted.map(({ from, to }) => [from.trim(), to.trim()])) });
      }}
    >
      <p>{t(data)}</p>
      <Upload onUploaded={setUpload} />
      {!upload && (
        <>
          <Select
            label={t`Or a file or folder on the server`}
            choices={choices}
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
            help={
              list && (
                <Trans>
                  From the folder <code>{rootOf}</code>. Set REELKEEP_IMPORT_FOLDERS to allow others.
                </Trans>
              )
            }
          />
          {isTyped && (
            <Field
              label={t`Path on the server`}
              value={path}
              spellCheck={false}
              autoCapitalize="none"
              autoFocus
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </>
      )}
      {folder && !upload && <PathMap maps={maps} onChange={setMaps} />}
      <Actions isBusy={isBusy} isReady={isReady} onBack={onBack} />
    </Form>
  );
}
