import { useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/client.ts';
import { tagsOfQuery, type TagTarget } from '#web/api/queries/tag.ts';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { TagsField } from './TagsField.tsx';
import { pathOfTag } from './tag-name.ts';

/** The user's private tags on a video or channel. */
export function OwnTags({ target }: { target: TagTarget }) {
  const { t } = useLingui();
  const query = useQuery(tagsOfQuery(target));
  const targets = 'video' in target ? { video: [target.video] } : { channel: [target.channel] };
  const change = useMutation({
    mutationFn: ({ name, ...body }: { name: string } & ({ add: typeof targets } | { remove: typeof targets })) =>
      call('PUT /api/tag/:name/', { params: { name }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tag'] }),
  });
  return (
    <QueryBoundary query={query} skeleton={64}>
      {(tags) => (
        <TagsField
          label={t`Your tags`}
          tags={tags.map(({ name }) => name)}
          problem={change.error?.message}
          name={(tag) => (
            <Link to={pathOfTag(tag)}>
              <bdi>{tag}</bdi>
            </Link>
          )}
          onAdd={(name) => change.mutate({ name, add: targets })}
          onRemove={(name) => change.mutate({ name, remove: targets })}
        />
      )}
    </QueryBoundary>
  );
}
