import { ActionDialog } from '#web/confirm/ActionDialog.tsx';
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
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { Section } from '#web/setting-fields/Section.tsx';
import { Cards } from '#web/setting-fields/Card.tsx';
import { Muted } from '#web/setting-fields/Muted.tsx';
import { EntryRow, Facts } from '#web/setting-fields/EntryRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import styles from './Nodes.module.css';

// Servers announce that they begin, end or drain, and not what they are doing.
const pollMs = 5_000;

const runningFirst = (a: NodeState, b: NodeState) => Number(b.is_alive) - Number(a.is_alive);

function RemoveNode({ name, onClose }: { name: string; onClose(): void }) {
  const { t } = useLingui();
  const showToast = useToast();
  return (
    <ActionDialog
      title={t`Remove the server ${name} from the list?`}
      action={<Trans>Remove</Trans>}
      run={() => call('DELETE /api/node/:name/', { params: { name } })}
      queryKey={nodesQuery.queryKey}
      onSuccess={() => showToast(t`${name} removed.`)}
      onClose={onClose}
    >
      <p>
        <Trans>No data are deleted, and other servers have continued its work. It is listed again when it starts.</Trans>
      </p>
    </ActionDialog>
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
    <Facts>
      {downloads > 0 && (
        <span>
          <Plural value={downloads} one="# download" other="# downloads" />
        </span>
      )}
      {names.length > 0 && <span>{names.join(', ')}</span>}
      {isIdle && <span>{isDraining ? t`Nothing left to complete. You can stop it.` : t`Idle`}</span>}
    </Facts>
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
    <EntryRow
      name={name}
      facts={
        <>
          {!isAlive && <Badge isDanger>{t`Not running`}</Badge>}
          {node.is_this && <Badge>{t`This server`}</Badge>}
          {node.is_leader && <Badge>{t`Leader`}</Badge>}
          {isDraining && <Badge>{t`Draining`}</Badge>}
          <span>{roleNames[role]}</span>
          {isOtherVersion ? <Badge isDanger>{t`Other version: ${node.version}`}</Badge> : <span>{node.version}</span>}
          {isAlive && node.ytdlp !== null && <span>yt-dlp {node.ytdlp}</span>}
          {node.egress !== '' && <span>{t`Address ${node.egress}`}</span>}
          {isAlive ? (
            <RelativeTime at={node.started_at}>{t`started ${agoText(node.started_at)}`}</RelativeTime>
          ) : (
            <RelativeTime at={node.seen_at}>{t`last seen ${agoText(node.seen_at)}`}</RelativeTime>
          )}
        </>
      }
      more={
        <>
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
        </>
      }
    >
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
      {isRemoving && <RemoveNode name={name} onClose={() => setIsRemoving(false)} />}
    </EntryRow>
  );
}

/** The servers that share the database. */
export function Nodes() {
  const { t } = useLingui();
  const query = useQuery({ ...nodesQuery, refetchInterval: pollMs });
  return (
    <Cards>
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
        <QueryBoundary query={query} skeleton={160}>
          {(nodes) => {
            if (nodes.length === 0)
              return (
                <Muted>
                  <Trans>This server is the only one.</Trans>
                </Muted>
              );
            const isAnyWorking = nodes.some((node) => node.role !== 'web' && node.is_alive && !node.is_draining);
            return (
              <>
                {!isAnyWorking && (
                  <Callout kind="danger">
                    <Trans>Downloads and tasks wait: all workers are draining or not running.</Trans>
                  </Callout>
                )}
                <ul>
                  {nodes.toSorted(runningFirst).map((node) => (
                    <NodeRow key={node.name} node={node} version={nodes.find((one) => one.is_this)?.version} />
                  ))}
                </ul>
              </>
            );
          }}
        </QueryBoundary>
      </Section>
    </Cards>
  );
}
