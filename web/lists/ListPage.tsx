import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconMovie, IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import type { SmartList } from '#contract/list.ts';
import { ApiError } from '#web/api/call.ts';
import { NotFound } from '#web/shell/Lost.tsx';
import { useTitle } from '#web/shell/title.ts';
import { useAddress } from '#web/ui/address.ts';
import { Button, IconButton } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Empty } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { filterOf, keptOf, wordsOf, type Filter } from '#web/video/filter-address.ts';
import { changedIn } from '#web/video/use-listing.ts';
import { VideoListing } from '#web/video/VideoListing.tsx';
import { VideosSkeleton } from '#web/video/Videos.tsx';
import { ListForm } from './ListForm.tsx';
import { listQuery, noteVisit, useChangeList, useDeleteList } from './queries.ts';
import styles from './Lists.module.css';

const same = (a: Filter, b: Filter) => JSON.stringify(keptOf(a)) === JSON.stringify(keptOf(b));

/** What was changed of the list, to keep it or to let go of it. */
function Changed({ list, now }: { list: SmartList; now: Filter }) {
  const { t } = useLingui();
  const say = useToast();
  const [, put] = useAddress();
  const change = useChangeList(list.id);
  const asKept = () => put({ ...wordsOf({}), page: null }, { replace: true, preventScrollReset: true });
  const save = () =>
    change.mutate({ filter: now }, { onSuccess: asKept, onError: (error) => say(error.message, { isDanger: true }) });
  return (
    <>
      {list.is_own && (
        <Button kind="primary" isBusy={change.isPending} onClick={save}>
          {t`Save what I see`}
        </Button>
      )}
      <Button kind="quiet" onClick={asKept}>
        {t`As it was saved`}
      </Button>
    </>
  );
}

function Own({ list }: { list: SmartList }) {
  const { t } = useLingui();
  const [isOpen, setIsOpen] = useState(false);
  const change = useChangeList(list.id);
  const remove = useDeleteList();
  return (
    <>
      <IconButton label={t`Name and who sees it`} onClick={() => setIsOpen(true)}>
        <IconPencil aria-hidden />
      </IconButton>
      <IconButton label={t`Delete this smart list`} onClick={() => remove.mutate(list)}>
        <IconTrash aria-hidden />
      </IconButton>
      {isOpen && (
        <ListForm
          title={t`Name and who sees it`}
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

function Shown({ list }: { list: SmartList }) {
  const { t } = useLingui();
  // What was new when the page was opened stays so while it is looked at.
  const [since] = useState(list.visited);
  const [search] = useAddress();
  const { id, name, owner } = list;
  useEffect(() => {
    noteVisit(id).catch(() => undefined); // they are new the next time as well
  }, [id]);
  useTitle(name);
  const kept: Filter = { sort: 'published', order: 'desc', ...filterOf(list.filter) };
  const now = changedIn(search);
  const shared = list.is_own ? t`Everybody here sees it` : t`Shared by ${owner}`;
  return (
    <VideoListing
      place="list"
      scope={kept}
      newSince={since}
      head={
        <div className={styles.head}>
          <h1>
            <bdi>{name}</bdi>
          </h1>
          {list.is_own && <Own list={list} />}
          {list.is_shared && <p className={styles.shared}>{shared}</p>}
          {now && !same(now, kept) && <Changed list={list} now={now} />}
        </div>
      }
      empty={
        <Empty icon={<IconMovie />} title={t`Nothing here yet`}>
          {t`As soon as there is something like that it appears here.`}
        </Empty>
      }
    />
  );
}

/** A filter that was kept, and what it shows now. */
export function ListPage() {
  const { t } = useLingui();
  const { listId = '' } = useParams();
  const query = useQuery(listQuery(listId));
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status))
    return <NotFound what={t`That smart list is not there`} goHome={t`Go Home`} />;
  return (
    <Loaded query={query} skeleton={<VideosSkeleton view="grid" count={6} />}>
      {(list) => <Shown key={list.id} list={list} />}
    </Loaded>
  );
}
