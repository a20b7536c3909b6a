import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconDeviceTv, IconEdit, IconEye, IconFileText, IconPlugConnected, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { MediaServer, MediaServerTest } from '#contract/media-server.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { mediaServersQuery } from '#web/api/queries/media-server.ts';
import { viewsQuery } from '#web/api/queries/view.ts';
import { agoText, dateTimeText } from '#web/format/dates.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Callout, EmptyState } from '#web/ui/Callout.tsx';
import { MenuItem } from '#web/ui/Menu.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { kindNames, stateNames } from './server-texts.ts';
import { ServerForm } from './ServerForm.tsx';
import { SyncReport } from './SyncReport.tsx';
import { TestResult } from './TestResult.tsx';
import styles from './MediaServers.module.css';

function DeleteServer({ server, onClose }: { server: MediaServer; onClose(): void }) {
  const { t } = useLingui();
  return (
    <ActionDialog
      title={t`Remove the media server “${server.name}”?`}
      action={<Trans>Remove server</Trans>}
      run={() => call('DELETE /api/media-server/:id/', { params: { id: String(server.id) } })}
      queryKey={['media-server']}
      onClose={onClose}
    >
      <p>
        <Trans>Reelkeep forgets its token. Watch states and playlists stay as they are on both sides.</Trans>
      </p>
    </ActionDialog>
  );
}

function ServerFacts({ server }: { server: MediaServer }) {
  const { t } = useLingui();
  const { persons, playlists, pending, state, refreshed, synced } = server;
  return (
    <>
      <span className={state === 'ready' || state === 'new' ? undefined : styles.problemText}>
        {server.is_syncing ? t`Synchronizing…` : t(stateNames[state])}
      </span>
      <span>{kindNames[server.kind]}</span>
      {refreshed !== null && <span>{t`refreshed ${agoText(refreshed)}`}</span>}
      {pending > 0 && (
        <span>
          <Plural value={pending} one="# folder to refresh" other="# folders to refresh" />
        </span>
      )}
      {synced !== null && <span>{t`synchronized ${agoText(synced)}`}</span>}
      <span>
        <Plural value={persons.length} _0="no users" one="# user" other="# users" />
      </span>
      {playlists.length > 0 && (
        <span>
          <Plural value={playlists.length} one="# playlist" other="# playlists" />
        </span>
      )}
    </>
  );
}

function ServerRow({ server, onEdit }: { server: MediaServer; onEdit(): void }) {
  const { t } = useLingui();
  const [isDeleting, setIsDeleting] = useState(false);
  const [shown, setShown] = useState<'report' | MediaServerTest | null>(null);
  const params = { id: String(server.id) };
  const sync = useAction(
    (isDryRun: boolean) => call('POST /api/media-server/:id/sync/', { params, body: { dry_run: isDryRun } }),
    {
      onSuccess: () => setShown('report'),
      onSettled: () => invalidateTopics('media-server', 'task'),
    },
  );
  const test = useAction(() => call('POST /api/media-server/:id/test/', { params }), {
    onSuccess: setShown,
    onSettled: () => invalidateTopics('media-server'),
  });
  const { name, persons, playlists, problem } = server;
  const problems = [...persons, ...playlists].filter((one) => one.problem !== null);
  const isEmpty = persons.length === 0 && playlists.length === 0;
  return (
    <EntryRow name={name} facts={<ServerFacts server={server} />} more={<code>{server.address}</code>}>
      <Button
        size="s"
        aria-label={t`Sync now: ${name}`}
        isBusy={sync.isPending || server.is_syncing}
        disabled={isEmpty}
        onClick={() => sync.mutate(false)}
      >
        <Trans>Sync now</Trans>
      </Button>
      <ActionsMenu name={name}>
        <MenuItem icon={<IconEye aria-hidden />} disabled={isEmpty || server.is_syncing} onSelect={() => sync.mutate(true)}>
          <Trans>Dry run</Trans>
        </MenuItem>
        <MenuItem icon={<IconFileText aria-hidden />} onSelect={() => setShown('report')}>
          <Trans>Last report</Trans>
        </MenuItem>
        <MenuItem icon={<IconPlugConnected aria-hidden />} onSelect={() => test.mutate()}>
          <Trans>Test connection</Trans>
        </MenuItem>
        <MenuItem icon={<IconEdit aria-hidden />} onSelect={onEdit}>
          <Trans>Change</Trans>
        </MenuItem>
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setIsDeleting(true)}>
          <Trans>Remove…</Trans>
        </MenuItem>
      </ActionsMenu>
      <div className={styles.details}>
        {problem !== null && (
          <Callout kind="danger">
            <p>{messageText(server.problem_messages, problem)}</p>
            {server.retry_at !== null && (
              <p>
                <Trans>Next attempt: {dateTimeText(server.retry_at)}</Trans>
              </p>
            )}
            {server.state === 'rejected' ? (
              <Button size="s" onClick={onEdit}>
                <Trans>Change</Trans>
              </Button>
            ) : (
              <Button size="s" isBusy={test.isPending} onClick={() => test.mutate()}>
                <Trans>Test connection</Trans>
              </Button>
            )}
          </Callout>
        )}
        {problems.map((one) => (
          <Callout key={'account' in one ? `account ${one.account}` : one.id} kind="danger">
            <strong>
              <bdi>{'account' in one ? one.account_name : one.name}</bdi>
            </strong>{' '}
            {messageText(one.problem_messages, one.problem ?? '')}
          </Callout>
        ))}
        {test.isPending && problem === null && <Skeleton height={60} />}
        {shown === 'report' ? (
          <SyncReport server={server} />
        ) : (
          shown && (shown.success || shown.problem !== problem) && <TestResult result={shown} />
        )}
      </div>
      {isDeleting && <DeleteServer server={server} onClose={() => setIsDeleting(false)} />}
    </EntryRow>
  );
}

// The end of a synchronization is announced, its start by another user is not.
const busyMs = 2_000;

/** Jellyfin, Emby, Plex and Kodi servers that read library views. */
export function MediaServers() {
  const { t } = useLingui();
  const query = useQuery({
    ...mediaServersQuery,
    refetchInterval: ({ state }) => (state.data?.data.some((server) => server.is_syncing) ? busyMs : false),
  });
  const { data: views } = useQuery(viewsQuery);
  const [edited, setEdited] = useState<{ server: MediaServer | null; test: MediaServerTest | null } | null>(null);
  const hasViews = views !== undefined && views.data.length > 0;
  const addButton = (
    <Button size="s" kind="primary" icon={<IconPlus aria-hidden />} onClick={() => setEdited({ server: null, test: null })}>
      <Trans>Add media server</Trans>
    </Button>
  );
  return (
    <Cards>
      <Section
        id="media-servers"
        title={t`Media servers`}
        text={
          <Trans>
            Jellyfin, Emby, Plex and Kodi learn of new videos in your library views, and watched marks, positions and playlists
            stay the same on both sides.
          </Trans>
        }
        actions={query.data && query.data.data.length > 0 && edited === null && hasViews && addButton}
      >
        <QueryBoundary query={query} skeleton={120}>
          {({ data }) =>
            data.length > 0 ? (
              <ul>
                {data.map((server) => (
                  <ServerRow key={server.id} server={server} onEdit={() => setEdited({ server, test: null })} />
                ))}
              </ul>
            ) : (
              edited === null &&
              views &&
              (hasViews ? (
                <EmptyState icon={<IconDeviceTv />} title={t`No media servers yet`} action={addButton}>
                  {t`Add the server that reads one of your library views.`}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={<IconDeviceTv />}
                  title={t`Add a library view first`}
                  action={
                    <Link className={buttonClass('primary', 's')} to="/settings/application/views/">
                      <Trans>Library views</Trans>
                    </Link>
                  }
                >
                  {t`A media server reads the folder of a library view. Then it can be added here.`}
                </EmptyState>
              ))
            )
          }
        </QueryBoundary>
      </Section>
      {edited !== null && views && (
        <ServerForm
          key={edited.server?.id ?? 'new'}
          server={edited.server}
          test={edited.test}
          views={views.data}
          onAdded={(server, test) => setEdited({ server, test })}
          onDone={() => setEdited(null)}
        />
      )}
    </Cards>
  );
}
