import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { rangeText } from '#web/format/range-text.ts';
import { beginNote, clearFocusRequest, clearNoteTime, endNote, useNoteDraft } from '#web/player/state/note-draft.ts';
import { Button } from '#web/ui/Button.tsx';
import { Form } from '#web/ui/Form.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { TextArea } from '#web/ui/TextArea.tsx';
import styles from './Notes.module.css';

/** Enter saves, Shift+Enter begins a line. */
export const isSave = (event: KeyboardEvent) => event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;

export const NoteTags = lazyComponent(async () => (await import('./NoteTags.tsx')).NoteTags);

/** The tags of a form, with one that is typed but not added yet. The server leaves out repetitions. */
export function typedTags(tags: string[], values: FormData): string[] {
  const typed = values.get('tag');
  return typeof typed === 'string' && typed.trim() ? [...tags, typed] : tags;
}

/** Sends the form around a field. */
export function sendForm(event: KeyboardEvent) {
  event.preventDefault();
  (event.target as HTMLTextAreaElement).form?.requestSubmit();
}

/** Writes a note about the moment that is played, or about the whole video. */
export function NoteForm({ video }: { video: string }) {
  const { t } = useLingui();
  const form = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const { at, end: until, wantsFocus } = useNoteDraft(video);
  useEffect(() => {
    if (!wantsFocus) return;
    form.current?.querySelector('textarea')?.focus();
    clearFocusRequest();
  }, [wantsFocus]);
  const end = () => {
    setText('');
    setTags([]);
    endNote();
    (document.activeElement as HTMLElement | null)?.blur();
  };
  const save = useMutation({
    mutationFn: (values: FormData) =>
      call('POST /api/note/', { body: { video, text, start: at, end: until, tags: typedTags(tags, values) } }),
    onSuccess: () => {
      end();
      return invalidateTopics('note', 'tag');
    },
  });
  const submit = (values: FormData) => text.trim() && !save.isPending && save.mutate(values);
  const time = at === null ? '' : rangeText(at, until);
  return (
    <div ref={form}>
      <Form onSubmit={submit} className={styles.form}>
        <TextArea
          label={at === null ? t`Note about the video` : t`Note at ${time}`}
          rows={2}
          isProse
          value={text}
          placeholder={t`Press N while watching. Enter saves.`}
          problem={save.error?.message}
          onChange={setText}
          onKeyDown={(event) => {
            if (isSave(event)) sendForm(event);
            else if (event.key === 'Escape' && !text) end();
          }}
        />
        {text && <NoteTags tags={tags} onChange={setTags} />}
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" size="s" isBusy={save.isPending} disabled={!text.trim()}>
            <Trans>Save note</Trans>
          </Button>
          {at === null ? (
            <Button kind="quiet" size="s" onClick={() => beginNote()}>
              <Trans>At the current time</Trans>
            </Button>
          ) : (
            <Button kind="quiet" size="s" onClick={clearNoteTime}>
              <Trans>About the whole video</Trans>
            </Button>
          )}
        </div>
      </Form>
    </div>
  );
}
