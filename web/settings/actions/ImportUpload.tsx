import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useConfig } from '#web/api/account.ts';
import { callAddress } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { uploadFile } from '#web/api/upload-file.ts';
import { percentText, sizeText } from '#web/format/numbers.ts';
import { Button } from '#web/ui/Button.tsx';
import { importFolderQuery } from './import-folder-query.ts';
import styles from './ImportUpload.module.css';

interface Upload {
  id: number;
  file: File;
  /** 0–1. */
  progress: number;
  state: 'waiting' | 'uploading' | 'done' | 'failed' | 'canceled';
  error?: string;
}

const uploadAddress = (filename: string) => callAddress('/api/appsettings/manual-import/:filename/', { filename });

/** Uploads files to the import folder, one after another: drag and drop, or a file dialog. */
export function ImportUpload() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const chooser = useRef<HTMLInputElement>(null);
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [isOver, setIsOver] = useState(false);
  const abort = useRef<AbortController>(null);
  const next = uploads.find(({ state }) => state === 'waiting' || state === 'uploading');
  const nextId = next?.state === 'waiting' ? next.id : undefined;
  const isBusy = next !== undefined;
  const update = (id: number, some: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...some } : one)));
  const add = (files: Iterable<File>) =>
    setUploads((all) => [
      ...all.filter(({ state }) => state === 'waiting' || state === 'uploading'),
      ...[...files].map((file, index): Upload => ({
        id: (all.at(-1)?.id ?? 0) + 1 + index,
        file,
        progress: 0,
        state: 'waiting',
      })),
    ]);

  useEffect(() => {
    if (!next || nextId === undefined) return;
    const controller = new AbortController();
    abort.current = controller;
    update(nextId, { state: 'uploading' });
    uploadFile(uploadAddress(next.file.name), next.file, {
      signal: controller.signal,
      onProgress: (progress) => update(nextId, { progress }),
    })
      .then(() => update(nextId, { state: 'done' }))
      .catch((error: Error) =>
        update(nextId, controller.signal.aborted ? { state: 'canceled' } : { state: 'failed', error: error.message }),
      )
      .finally(() => void queryClient.invalidateQueries({ queryKey: importFolderQuery.queryKey }));
    // oxlint-disable-next-line react/exhaustive-deps -- starts once per file
  }, [nextId]);

  // Leaving the page stops the upload; the browser asks before.
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
  useEffect(() => () => abort.current?.abort(), []);

  const cancel = () => {
    setUploads((all) => all.map((one) => (one.state === 'waiting' ? { ...one, state: 'canceled' } : one)));
    abort.current?.abort();
  };
  const stateTexts = { waiting: t`Waiting`, done: t`Uploaded`, failed: t`Failed`, canceled: t`Canceled` };
  const done = uploads.filter(({ state }) => state === 'done').length;
  return (
    <>
      <div
        className={`${styles.zone} ${isOver ? styles.over : ''}`}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          add(event.dataTransfer.files);
        }}
      >
        <Button icon={<IconUpload aria-hidden />} onClick={() => chooser.current?.click()}>
          {t`Upload files…`}
        </Button>
        <p className={styles.note}>
          <Trans>
            Or drop them here: videos with their info.json, subtitles and thumbnails. They go to the import folder; keep this page
            open until they are uploaded.
          </Trans>
        </p>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t`Files to import`}
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = '';
          }}
        />
      </div>
      {uploads.length > 0 && (
        <div className={styles.files}>
          <p role="status">
            {isBusy ? (
              <Plural value={uploads.length} one={`${done} of # file uploaded`} other={`${done} of # files uploaded`} />
            ) : (
              <Plural value={done} one="# file uploaded" other="# files uploaded" />
            )}
          </p>
          <ul className={styles.files}>
            {uploads.map(({ id, file, progress, state, error }) => (
              <li key={id} className={styles.file}>
                <bdi>{file.name}</bdi>
                <span className="number">
                  {sizeText(file.size, unit)} · {state === 'uploading' ? percentText(progress) : stateTexts[state]}
                </span>
                {state === 'uploading' && <progress value={progress} max={1} aria-label={t`Upload of ${file.name}`} />}
                {error && <p className={styles.error}>{error}</p>}
              </li>
            ))}
          </ul>
          {isBusy && (
            <div>
              <Button size="s" onClick={cancel}>{t`Cancel uploads`}</Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}
