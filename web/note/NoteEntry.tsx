import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { IconBookmark } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Note } from '#contract/note.ts';
import { ApiError, call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { rangeText } from '#web/format/range-text.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Form } from '#web/ui/Form.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { MenuItem } from '#web/ui/Menu.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { isSave, NoteTags, sendForm, typedTags } from './NoteForm.tsx';
import { NoteText } from './NoteText.tsx';
import styles from './Notes.module.css';

const ClipDialog = lazyComponent(async () => (await import('#web/clip/ClipDialog.tsx')).ClipDialog);

const reload = () => invalidateTopics('note', 'tag');
const paramsOf = ({ id }: Note) => ({ id: String(id) });

/** The note as it is now, if it was changed elsewhere. */
const otherOf = (error: Error | null) =>
  error instanceof ApiError && error.status === 409 ? ((error.body as { note?: Note }).note ?? null) : null;

function EditNote({ note, onClose }: { note: Note; onClose(): void }) {
  const { t } = useLingui();
  const [text, setText] = useState(note.text);
  const [tags, setTags] = useState(note.tags);
  // The list may be loaded again meanwhile, with a change of another window.
  const [revision] = useState(note.revision);
  const save = useMutation({
    mutationFn: (change: { revision: number; tags: string[] }) =>
      call('PATCH /api/note/:id/', { params: paramsOf(note), body: { text, ...change } }),
    onSuccess: () => {
      onClose();
      return reload();
    },
  });
  const other = otherOf(save.error);
  return (
    <Form
      className={styles.form}
      onSubmit={(values) => save.mutate({ revision: other?.revision ?? revision, tags: typedTags(tags, values) })}
    >
      <TextArea
        label={t`Edit note`}
        isProse
        rows={Math.min(12, Math.max(2, text.split('\n').length))}
        value={text}
        problem={save.error?.message}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (isSave(event)) sendForm(event);
        }}
      />
      <NoteTags tags={tags} onChange={setTags} />
      {other && (
        <div className={styles.other}>
          <p>
            <Trans>The other text:</Trans>
          </p>
          <blockquote dir="auto">{other.text}</blockquote>
        </div>
      )}
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" size="s" isBusy={save.isPending}>
          {other ? <Trans>Replace it with mine</Trans> : <Trans>Save note</Trans>}
        </Button>
        <Button
          kind="quiet"
          size="s"
          onClick={() => {
            onClose();
            if (other) void reload();
          }}
        >
          {other ? <Trans>Keep the other text</Trans> : <Trans>Cancel</Trans>}
        </Button>
      </div>
    </Form>
  );
}

/** Deletes a note; undo adds it again. */
function useDeleteNote(note: Note) {
  const { t } = useLingui();
  const showToast = useToast();
  const { video, kind, start, end, text, quote, quote_lang, tags } = note;
  const restore = () =>
    call('POST /api/note/', { body: { video, kind, start, end, text, quote, quote_lang, tags } }).then(reload, (error: Error) =>
      showToast(error.message, { isDanger: true }),
    );
  return useMutation({
    mutationFn: () => call('DELETE /api/note/:id/', { params: paramsOf(note) }),
    onSuccess: () =>
      showToast(t`Note deleted.`, note.is_archived ? { action: { label: t`Undo`, run: () => void restore() } } : undefined),
    onError: (error) => showToast(error.message, { isDanger: true }),
    onSettled: reload,
  });
}

interface Props {
  note: Note;
  /** The time: a button that seeks, or a link to the video. */
  time(text: string): ReactNode;
  onSeek(seconds: number): void;
  /** Where the note belongs, if that is not clear from its place. */
  heading?: ReactNode;
  isPlaying?: boolean;
  /** Length of the video; later times in the text are no buttons. */
  durationSeconds?: number;
}

/** A note with its time and actions. */
export function NoteEntry({ note, time, onSeek, heading, isPlaying = false, durationSeconds = Infinity }: Props) {
  const { t } = useLingui();
  const [isEdited, setIsEdited] = useState(false);
  const [isClipped, setIsClipped] = useState(false);
  const remove = useDeleteNote(note);
  const { start, end, kind, text, quote, quote_lang: lang, tags } = note;
  const range = start === null ? '' : rangeText(start, end);
  const name = range || t`Note`;
  return (
    <li className={`${styles.note} ${isPlaying ? styles.playing : ''}`} aria-current={isPlaying || undefined}>
      <div className={styles.body}>
        {heading}
        <p className={`${styles.facts} number`}>
          {kind === 'bookmark' && <IconBookmark aria-label={t`Bookmark`} />}
          {range && time(range)}
          <RelativeTime at={note.created}>{agoText(note.created)}</RelativeTime>
        </p>
        {quote && (
          <blockquote lang={lang ?? undefined} dir="auto">
            {quote}
          </blockquote>
        )}
        {isEdited ? (
          <EditNote note={note} onClose={() => setIsEdited(false)} />
        ) : (
          text && <NoteText text={text} durationSeconds={durationSeconds} onSeek={onSeek} />
        )}
        {!isEdited && tags.length > 0 && (
          <ul className={styles.chips} aria-label={t`Tags`}>
            {tags.map((tag) => (
              <li key={tag}>
                <Link to={`/notes/?${new URLSearchParams({ tag })}`}>
                  <bdi>{tag}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ActionsMenu name={name}>
        <MenuItem onSelect={() => setIsEdited(true)}>{text ? t`Edit` : t`Add a text`}</MenuItem>
        {note.is_archived && start !== null && end !== null && (
          <MenuItem onSelect={() => setIsClipped(true)}>{t`Clip…`}</MenuItem>
        )}
        <MenuItem isDanger onSelect={() => remove.mutate()}>{t`Delete`}</MenuItem>
      </ActionsMenu>
      {isClipped && start !== null && end !== null && (
        <ClipDialog video={note.video} range={{ start, end }} onClose={() => setIsClipped(false)} />
      )}
    </li>
  );
}
