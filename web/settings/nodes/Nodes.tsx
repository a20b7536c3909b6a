import { useAction } from '#web/confirm/use-action.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { NodeState } from '#contract/system.ts';
import { call } from '#web/api/call.ts';
import { invalidateTopics } from '#web/api/client.ts';
import { nodesQuery } from '#web/api/queries/node.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { messageText } from '#web/i18n/message-text.ts';
import { taskName } from '#web/tasks/task-names.ts';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import entries from '#web/setting-fields/Entries.module.css';
import { Section } from '#web/setting-fields/Section.tsx';
import rows from '#web/setting-fields/Rows.module.css';
import cards from '#web/setting-fields/Settings.module.css';
import styles from './Nodes.module.css';

// Servers announce that they begin, end or drain, and not what they are doing.
const pollMs = 5_000;

const runningFirst = (a: NodeState, b: NodeState) => Number(b.is_alive) - Number(a.is_alive);

function RemoveNode({ name, onClose }: { name: string; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  const remove = useAction(() => call('DELETE /api/node/:name/', { params: { name } }), {
    onSuccess: () => showToast(t`${name} removed.`),
    onSettled: () => {
      onClose();
      return invalidateTopics('node');
    },
  });
  return (
    <ConfirmDialog
      title={t`Remove the server ${name} from the list?`}
      action={<Trans>Remove</Trans>}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <Trans>No data are deleted, and other servers have continued its work. It is listed again when it starts.</Trans>
      </p>
    </ConfirmDialog>
  );
}

/** What a server is doing. */
function Work({ node }: { node: NodeState }) {
  const { t } = useLingui();
  const { role, runs, downloads, is_draining: isDraining } = node;
  // The run of the queue is what its downloads belong to.
  const names = runs
    .filter(({ name }) => downloads === 0 || name !== 'download_pending')
    .map(({ name, title }) => taskName(name, title));
  const isIdle = downloads === 0 && names.length === 0;
  if (isIdle && role === 'web') return null;
  return (
    <p className={entries.facts}>
      {downloads > 0 && (
        <span>
          <Plural value={downloads} one="# download" other="# downloads" />
        </span>
      )}
      {names.length > 0 && <span>{names.join(', ')}</span>}
      {isIdle && <span>{isDraining ? t`Nothing left to complete. You can stop it.` : t`Idle`}</span>}
    </p>
  );
}

function NodeRow({ node, version }: { node: NodeState; version: string | undefined }) {
  const { t } = useLingui();
  const showToast = useToast();
  const [isRemoving, setIsRemoving] = useState(false);
  const { name, role, is_alive: isAlive, is_draining: isDraining } = node;
  const roleNames = { web: t`Web server`, worker: t`Worker`, all: t`Web server and worker` };
  const drain = useAction(
    (drains: boolean) => call('POST /api/node/:name/', { params: { name }, body: { is_draining: drains } }),
    {
      onSuccess: (_, drains) => showToast(drains ? t`${name} is draining.` : t`${name} accepts work again.`),
      onSettled: () => invalidateTopics('node'),
    },
  );
  const isOtherVersion = isAlive && version !== undefined && node.version !== version;
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p className={entries.facts}>
          {!isAlive && <span className={rows.disabledBadge}>{t`Not running`}</span>}
          {node.is_this && <span className={rows.badge}>{t`This server`}</span>}
          {node.is_leader && <span className={rows.badge}>{t`Leader`}</span>}
          {isDraining && <span className={rows.badge}>{t`Draining`}</span>}
          <span>{roleNames[role]}</span>
          {isOtherVersion ? (
            <span className={rows.disabledBadge}>{t`Other version: ${node.version}`}</span>
          ) : (
            <span>{node.version}</span>
          )}
          {isAlive && node.ytdlp !== null && <span>yt-dlp {node.ytdlp}</span>}
          {node.egress !== '' && <span>{t`Address ${node.egress}`}</span>}
          {isAlive ? (
            <RelativeTime at={node.started_at}>{t`started ${agoText(node.started_at)}`}</RelativeTime>
          ) : (
            <RelativeTime at={node.seen_at}>{t`last seen ${agoText(node.seen_at)}`}</RelativeTime>
          )}
        </p>
        {isAlive && <Work node={node} />}
        {node.problems.length > 0 && (
          <ul className={styles.problems}>
            {node.problems.map((english, index) => (
              <li key={english}>
                <IconAlertTriangle aria-label={t`Problem`} />
                {messageText(node.problem_messages.slice(index, index + 1), english)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={entries.buttons}>
        {isAlive ? (
          <Button
            size="s"
            isBusy={drain.isPending}
            aria-label={isDraining ? t`Stop draining: ${name}` : t`Drain: ${name}`}
            onClick={() => drain.mutate(!isDraining)}
          >
            {isDraining ? <Trans>Stop draining</Trans> : <Trans>Drain</Trans>}
          </Button>
        ) : (
          <Button size="s" aria-label={t`Remove: ${name}`} onClick={() => setIsRemoving(true)}>
            <Trans>Remove…</Trans>
          </Button>
        )}
      </div>
      {isRemoving && <RemoveNode name={name} onClose={() => setIsRemoving(false)} />}
    </li>
  );
}

/** The servers that share the database. */
export function Nodes() {
  const { t } = useLingui();
  const query = useQuery({ ...nodesQuery, refetchInterval: pollMs });
  return (
    <div className={cards.cards}>
      <Section
        id="servers"
        title={t`Servers`}
        text={
          <Trans>
            Drain a server before you stop it: it completes its downloads and tasks and begins no others, and a load balancer that
            checks <code>/readyz/</code> sends it no more requests. This lasts until you end it or the server starts again.
          </Trans>
        }
      >
        <QueryBoundary query={query} skeleton={<Skeleton height={160} />}>
          {(nodes) => {
            if (nodes.length === 0)
              return (
                <p className={cards.muted}>
                  <Trans>This server is the only one.</Trans>
                </p>
              );
            const isAnyWorking = nodes.some((node) => node.role !== 'web' && node.is_alive && !node.is_draining);
            return (
              <>
                {!isAnyWorking && (
                  <Callout kind="danger">
                    <Trans>Downloads and tasks wait: all workers are draining or not running.</Trans>
                  </Callout>
                )}
                <ul className={entries.entries}>
                  {nodes.toSorted(runningFirst).map((node) => (
                    <NodeRow key={node.name} node={node} version={nodes.find((one) => one.is_this)?.version} />
                  ))}
                </ul>
              </>
            );
          }}
        </QueryBoundary>
      </Section>
    </div>
  );
}
