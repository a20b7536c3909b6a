import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconTag } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { tagsQuery } from '#web/api/queries/tag.ts';
import type { VideoFilter } from '#web/api/queries/video.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, DialogActions } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Form } from '#web/ui/Form.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { maxTag, tagName } from './tag-name.ts';

// The server takes as many ids at once.
const atOnce = 1000;

interface Props {
  /** Ids of the videos, or the filter that they match. */
  videos: readonly string[] | VideoFilter;
  onClose(): void;
  onDone(): void;
}

const reload = () => queryClient.invalidateQueries({ queryKey: ['tag'] });

/** Sends the ids in parts. Returns those that changed. */
async function changeTag(name: string, what: 'add' | 'remove', ids: readonly string[]): Promise<string[]> {
  const added: string[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const video = ids.slice(from, from + atOnce);
    added.push(...(await call('PUT /api/tag/:name/', { params: { name }, body: { [what]: { video } } })).added.video);
  }
  return added;
}

/** Adds a private tag to several videos. Only those of chosen videos can be undone: the others are not known here. */
export function TagVideos({ videos, onClose, onDone }: Props) {
  const { t } = useLingui();
  const list = useId();
  const showToast = useToast();
  const [text, setText] = useState('');
  const { data } = useQuery(tagsQuery);
  const name = tagName(text);
  const undo = (ids: string[]) =>
    changeTag(name, 'remove', ids).then(reload, (error: Error) => showToast(error.message, { isDanger: true }));
  const add = useMutation({
    mutationFn: async () => {
      if (!Array.isArray(videos))
        return { count: (await call('POST /api/video/bulk/tag/', { query: videos as VideoFilter, body: { tag: name } })).videos };
      const added = await changeTag(name, 'add', videos as string[]);
      return { count: added.length, added };
    },
    onSuccess: ({ count, added }) => {
      showToast(
        plural(count, { one: `Tag “${name}” added to # video.`, other: `Tag “${name}” added to # videos.` }),
        added && added.length > 0 ? { action: { label: t`Undo`, run: () => void undo(added) } } : {},
      );
      onDone();
      onClose();
    },
    onSettled: reload,
  });
  return (
    <Dialog title={t`Add tag`} onClose={onClose}>
      <Form onSubmit={() => name && add.mutate()}>
        <Field
          label={t`Tag`}
          help={t`Only you can see your tags.`}
          value={text}
          maxLength={maxTag}
          list={list}
          autoComplete="off"
          autoCapitalize="none"
          problem={add.error?.message}
          onChange={(event) => setText(event.target.value)}
        />
        <datalist id={list}>
          {data?.map((tag) => (
            <option key={tag.name} value={tag.name} />
          ))}
        </datalist>
        <DialogActions onCancel={onClose}>
          <Button type="submit" kind="primary" icon={<IconTag aria-hidden />} disabled={!name} isBusy={add.isPending}>
            {t`Add tag`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
