import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconEdit, IconFolders, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { View } from '#contract/view.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { viewsQuery } from '#web/api/queries/view.ts';
import { agoText } from '#web/format/dates.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { Button, buttonClass } from '#web/ui/Button.tsx';
import { Callout, EmptyState } from '#web/ui/Callout.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { Switch } from '#web/ui/Field.tsx';
import { MenuItem } from '#web/ui/Menu.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { EntryRow } from '#web/setting-fields/EntryRow.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { ActionsMenu } from '#web/setting-fields/ActionsMenu.tsx';
import { linkNames, presetNames, stateNames } from './view-texts.ts';
import { ViewForm } from './ViewForm.tsx';
import styles from './Views.module.css';

function DeleteView({ view, onClose }: { view: View; onClose(): void }) {
  const { t } = useLingui();
  const [keepsFiles, setKeepsFiles] = useState(false);
  return (
    <ActionDialog
      title={t`Delete the view “${view.name}”?`}
      action={<Trans>Delete view</Trans>}
      run={() => call('DELETE /api/view/:id/', { params: { id: String(view.id) }, query: { forget: keepsFiles } })}
      queryKey={viewsQuery.queryKey}
      onClose={onClose}
    >
      <p>
        <Trans>Its links and files are removed from {view.root}. Your videos stay in the archive.</Trans>
      </p>
      <Switch label={t`Keep the files of the view`} isOn={keepsFiles} onChange={setKeepsFiles} />
    </ActionDialog>
  );
}

/** `onEdit` is null if views can only be deleted. */
function ViewRow({ view, onEdit }: { view: View; onEdit: (() => void) | null }) {
  const { t } = useLingui();
  const [isDeleting, setIsDeleting] = useState(false);
  const build = useAction(
    (startOver: boolean) =>
      call('POST /api/view/:id/build/', { params: { id: String(view.id) }, body: { start_over: startOver } }),
    { onSettled: () => invalidateTopics('view', 'task') },
  );
  const { name, content } = view;
  const isBusy = view.state === 'building' || view.state === 'deleting';
  const mayStartOver = view.state === 'failed' && view.problem_messages?.some(({ id }) => id === 'view.root-missing');
  return (
    <EntryRow
      name={name}
      facts={
        <>
          <span>{t(stateNames[view.state])}</span>
          <span>
            <Plural value={view.videos} one="# video" other="# videos" />
          </span>
          {view.pending > 0 && (
            <span>
              <Plural value={view.pending} one="# change left" other="# changes left" />
            </span>
          )}
          {view.built !== null && <span>{t`built ${agoText(view.built)}`}</span>}
          <span>{t(presetNames[view.preset])}</span>
          {content.type !== 'all' && <span>{content.name ?? t`deleted`}</span>}
        </>
      }
      more={
        <>
          <p className={styles.folder}>
            <code>{view.root}</code>
            <CopyButton text={view.root} label={t`Copy the folder of ${name}`} />
          </p>
          {view.link_used && (
            <p>
              {view.link === 'auto' && view.link_reason
                ? messageText(view.link_reason_messages, view.link_reason)
                : t(linkNames[view.link_used])}
            </p>
          )}
        </>
      }
    >
      {onEdit && (
        <Button
          size="s"
          aria-label={t`Build: ${name}`}
          isBusy={build.isPending}
          disabled={isBusy}
          onClick={() => build.mutate(false)}
        >
          <Trans>Build</Trans>
        </Button>
      )}
      <ActionsMenu name={name}>
        {onEdit && (
          <MenuItem icon={<IconEdit aria-hidden />} disabled={view.state === 'deleting'} onSelect={onEdit}>
            <Trans>Change</Trans>
          </MenuItem>
        )}
        <MenuItem icon={<IconTrash aria-hidden />} isDanger onSelect={() => setIsDeleting(true)}>
          <Trans>Delete…</Trans>
        </MenuItem>
      </ActionsMenu>
      {view.problem && (
        <div className={styles.problem}>
          <Callout kind="danger">
            <p>{messageText(view.problem_messages, view.problem)}</p>
            {onEdit && mayStartOver && (
              <Button size="s" isBusy={build.isPending} onClick={() => build.mutate(true)}>
                <Trans>Start over</Trans>
              </Button>
            )}
          </Callout>
        </div>
      )}
      {isDeleting && <DeleteView view={view} onClose={() => setIsDeleting(false)} />}
    </EntryRow>
  );
}

const serverNames: Partial<Record<View['preset'], string>> = { jellyfin: 'Jellyfin', plex: 'Plex', kodi: 'Kodi' };

/** What to do after a view was added. */
function NextStep({ view }: { view: View }) {
  const server = serverNames[view.preset];
  return (
    <Callout>
      <p>
        {server ? (
          <Trans>
            Next: add the folder to {server} as a library, and connect {server}, so that it looks for new videos within a minute.
          </Trans>
        ) : (
          <Trans>Next: add the folder to your media server as a library.</Trans>
        )}
      </p>
      {server && (
        <Link to="/settings/application/media-servers/" className={buttonClass('primary', 's')}>
          <Trans>Connect {server}</Trans>
        </Link>
      )}
    </Callout>
  );
}

// The progress of a build is not announced.
const busyMs = 2_000;

/** Library views for media servers. */
export function Views() {
  const { t } = useLingui();
  const query = useQuery({
    ...viewsQuery,
    refetchInterval: ({ state }) =>
      state.data?.data.some((view) => view.state === 'building' || view.state === 'deleting') ? busyMs : false,
  });
  const [edited, setEdited] = useState<View | 'new' | null>(null);
  const [added, setAdded] = useState<View>();
  const addButton = (
    <Button size="s" kind="primary" icon={<IconPlus aria-hidden />} onClick={() => setEdited('new')}>
      <Trans>Add view</Trans>
    </Button>
  );
  return (
    <Cards>
      <Section
        id="views"
        title={t`Library views`}
        text={
          <Trans>
            Folders with readable names for Jellyfin, Plex, Emby and Kodi, made of links to your videos and kept up to date. The
            videos themselves stay as they are.
          </Trans>
        }
        actions={query.data && !query.data.unavailable && query.data.data.length > 0 && edited === null && addButton}
      >
        <QueryBoundary query={query} skeleton={120}>
          {({ data, unavailable, unavailable_messages: why }) => (
            <>
              {added && edited === null && <NextStep view={added} />}
              {unavailable && <Callout>{messageText(why, unavailable)}</Callout>}
              {data.length > 0 ? (
                <ul>
                  {data.map((view) => (
                    <ViewRow key={view.id} view={view} onEdit={unavailable ? null : () => setEdited(view)} />
                  ))}
                </ul>
              ) : (
                !unavailable &&
                edited === null && (
                  <EmptyState icon={<IconFolders />} title={t`No views yet`} action={addButton}>
                    {t`Add one, and point your media server to its folder.`}
                  </EmptyState>
                )
              )}
            </>
          )}
        </QueryBoundary>
      </Section>
      {edited !== null && query.data && (
        <ViewForm
          key={edited === 'new' ? 'new' : edited.id}
          view={edited === 'new' ? null : edited}
          folder={query.data.folder}
          presets={query.data.presets}
          views={query.data.data}
          onAdded={setAdded}
          onDone={() => setEdited(null)}
        />
      )}
    </Cards>
  );
}
