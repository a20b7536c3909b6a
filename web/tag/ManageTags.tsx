import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Tag } from '#contract/tag.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { tagsQuery } from '#web/api/queries/tag.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { maxTag, pathOfTag, tagName } from './tag-name.ts';
import styles from './Tags.module.css';

const reload = () => invalidateTopics('tag', 'note');

interface RowProps {
  tag: Tag;
  onClose(): void;
}

function RenameTag({ tag, onClose }: RowProps) {
  const { t } = useLingui();
  const { name: oldName } = tag;
  const [text, setText] = useState(oldName);
  const name = tagName(text);
  const rename = useMutation({
    mutationFn: () => call('PUT /api/tag/:name/', { params: { name: oldName }, body: { name } }),
    onSuccess: () => {
      onClose();
      return reload();
    },
  });
  return (
    <Form className={styles.rename} onSubmit={() => name && rename.mutate()}>
      <Field
        label={t`New name of ${oldName}`}
        value={text}
        maxLength={maxTag}
        autoFocus
        problem={rename.error?.message}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" kind="primary" size="s" disabled={!name} isBusy={rename.isPending}>
          <Trans>Rename</Trans>
        </Button>
        <Button kind="quiet" size="s" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </Form>
  );
}

function DeleteTag({ tag: { name }, onClose }: RowProps) {
  const remove = useMutation({
    mutationFn: () => call('DELETE /api/tag/:name/', { params: { name } }),
    onSuccess: () => {
      onClose();
      return reload();
    },
  });
  return (
    <div className={styles.rename}>
      <p>
        <Trans>
          Delete the tag <bdi>{name}</bdi>? What has it stays.
        </Trans>
      </p>
      <div className={styles.buttons}>
        <Button kind="danger" size="s" autoFocus isBusy={remove.isPending} onClick={() => remove.mutate()}>
          <Trans>Delete tag</Trans>
        </Button>
        <Button kind="quiet" size="s" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      {remove.isError && (
        <p className={styles.problem} role="alert">
          {remove.error.message}
        </p>
      )}
    </div>
  );
}

/** Says how often a tag is used. */
function usesOf({ videos, channels, notes }: Tag, unused: string): string {
  const uses = [
    videos > 0 && plural(videos, { one: '# video', other: '# videos' }),
    channels > 0 && plural(channels, { one: '# channel', other: '# channels' }),
    notes > 0 && plural(notes, { one: '# note', other: '# notes' }),
  ];
  return uses.filter(Boolean).join(' · ') || unused;
}

function TagRow({ tag }: { tag: Tag }) {
  const { t } = useLingui();
  const { name } = tag;
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <div className={styles.about}>
          <Link to={pathOfTag(name)}>
            <bdi>{name}</bdi>
          </Link>
          <span className="number">{usesOf(tag, t`Not used`)}</span>
        </div>
        <IconButton label={t`Rename tag ${name}`} onClick={() => setOpen('rename')}>
          <IconPencil aria-hidden />
        </IconButton>
        <IconButton label={t`Delete tag ${name}`} onClick={() => setOpen('delete')}>
          <IconTrash aria-hidden />
        </IconButton>
      </div>
      {open === 'rename' && <RenameTag tag={tag} onClose={close} />}
      {open === 'delete' && <DeleteTag tag={tag} onClose={close} />}
    </li>
  );
}

/** Renames and deletes the user's private tags. */
export function ManageTags({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const query = useQuery(tagsQuery);
  return (
    <Dialog title={t`Manage tags`} onClose={onClose}>
      <QueryBoundary query={query} skeleton={160}>
        {(tags) =>
          tags.length === 0 ? (
            <p>
              <Trans>No tags yet. Add them on the Notes tab of a video, or in the About tab of a channel.</Trans>
            </p>
          ) : (
            <ul className={styles.list}>
              {tags.map((tag) => (
                <TagRow key={tag.name} tag={tag} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
