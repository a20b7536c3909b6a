import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie, IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import type { SmartList } from '#contract/smart-list.ts';
import { ApiError } from '#web/api/call.ts';
import { NotFound } from '#web/ui/NotFound.tsx';
import { useTitle } from '#web/ui/use-title.ts';
import { useQueryParams } from '#web/ui/use-search-params.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EmptyState } from '#web/ui/Callout.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { parseStoredFilter, serializeFilter, filterToParams, type Filter } from '#web/api/queries/video-filter.ts';
import { changedFilterIn } from '#web/video/list-view/use-listing.ts';
import { VideoListing } from '#web/video/list/VideoListing.tsx';
import { VideosSkeleton } from '#web/video/list/Videos.tsx';
import { ListMenu } from '#web/sharing/ListMenu.tsx';
import { ListForm } from '#web/smart-list-form/ListForm.tsx';
import { listQuery, markListVisited, useUpdateList, useDeleteList } from '#web/api/queries/smart-list.ts';
import styles from './SmartLists.module.css';

const isSameFilter = (a: Filter, b: Filter) => JSON.stringify(serializeFilter(a)) === JSON.stringify(serializeFilter(b));

/** Buttons that save or discard unsaved changes of the filter. */
function UnsavedChanges({ list, now }: { list: SmartList; now: Filter }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [, setSearchParams] = useQueryParams();
  const change = useUpdateList(list.id);
  const discard = () => setSearchParams({ ...filterToParams({}), page: null }, { replace: true, preventScrollReset: true });
  const save = () =>
    change.mutate({ filter: now }, { onSuccess: discard, onError: (error) => showToast(error.message, { isDanger: true }) });
  return (
    <>
      {list.is_own && (
        <Button kind="primary" isBusy={change.isPending} onClick={save}>
          {t`Save changes`}
        </Button>
      )}
      <Button kind="quiet" onClick={discard}>
        {t`Discard changes`}
      </Button>
    </>
  );
}

function OwnerActions({ list }: { list: SmartList }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const change = useUpdateList(list.id);
  const remove = useDeleteList();
  return (
    <>
      <IconButton label={t`Edit smart list`} onClick={() => setIsOpen(true)}>
        <IconPencil aria-hidden />
      </IconButton>
      <IconButton label={t`Delete smart list`} onClick={() => remove.mutate(list)}>
        <IconTrash aria-hidden />
      </IconButton>
      {isOpen && (
        <ListForm
          title={t`Edit smart list`}
          name={list.name}
          isShared={list.is_shared}
          isBusy={change.isPending}
          error={change.error}
          onSave={(name, is_shared) => change.mutate({ name, is_shared }, { onSuccess: () => setIsOpen(false) })}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function SmartListView({ list }: { list: SmartList }) {
  const { t } = useLingui();
  // The "new" marks stay while the page is open, although the visit is recorded at once.
  const [since] = useState(list.visited);
  const [search] = useQueryParams();
  const { id, name, owner } = list;
  useEffect(() => {
    markListVisited(id).catch(() => undefined); // the visit is recorded the next time
  }, [id]);
  useTitle(name);
  const saved: Filter = { sort: 'published', order: 'desc', ...parseStoredFilter(list.filter) };
  const now = changedFilterIn(search);
  const shared = list.is_own ? t`Shared with all users` : t`Shared by ${owner}`;
  return (
    <VideoListing
      listPage="list"
      scope={saved}
      newSince={since}
      head={
        <div className={styles.head}>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          {list.is_own && <OwnerActions list={list} />}
          <ListMenu list={{ type: 'list', id: String(id) }} name={name} />
          {list.is_shared && <p className={styles.shared}>{shared}</p>}
          {now && !isSameFilter(now, saved) && <UnsavedChanges list={list} now={now} />}
        </div>
      }
      empty={
        <EmptyState icon={<IconMovie />} title={t`No videos yet`}>
          {t`Videos that match this list appear here.`}
        </EmptyState>
      }
    />
  );
}

/** Page of one smart list. */
export function ListPage() {
  const { t } = useLingui();
  const { listId = '' } = useParams();
  const query = useQuery(listQuery(listId));
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status))
    return <NotFound what={t`That smart list does not exist`} goHome={t`Go home`} />;
  return (
    <QueryBoundary query={query} skeleton={<VideosSkeleton view="grid" count={6} />}>
      {(list) => <SmartListView key={list.id} list={list} />}
    </QueryBoundary>
  );
}
