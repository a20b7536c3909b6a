import { useAction } from '#web/confirm/use-action.ts';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { messageText } from '#web/i18n/message-text.ts';
import { TextWithLinks } from '#web/settings-pages/TextWithLinks.tsx';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { RelativeTime } from '#web/format/RelativeTime.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Callout } from '#web/ui/Callout.tsx';
import { cooldownsQuery } from '#web/api/queries/download.ts';
import styles from './SiteCooldowns.module.css';

/** Sites that blocked this server: when they are tried again, and a button to retry now. */
export function SiteCooldowns() {
  const { data = [] } = useQuery(cooldownsQuery);
  const ask = useAction((site: string) => call('DELETE /api/download/cooldowns/:site/', { params: { site } }), {
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['download'] }),
  });
  return data.map(({ site: name, egress, until, message, failure_messages: messages }) => {
    const site = egress ? `${name} (${egress})` : name;
    return (
      <Callout key={site} kind="danger">
        <div className={styles.cooldown}>
          <p>
            <Trans>
              Paused for <strong>{site}</strong> – retrying <RelativeTime at={until}>{agoText(until)}</RelativeTime>.
            </Trans>{' '}
            <TextWithLinks text={messageText(messages, message)} />
          </p>
          <Button size="s" isBusy={ask.isPending} onClick={() => ask.mutate(name)}>
            <Trans>Retry now</Trans>
          </Button>
        </div>
      </Callout>
    );
  });
}
