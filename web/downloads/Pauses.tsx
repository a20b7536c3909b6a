import { Trans } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { told } from '#web/api/told.ts';
import { queryClient } from '#web/api/client.ts';
import { agoText } from '#web/format/dates.ts';
import { Moment } from '#web/format/Moment.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import styles from './Pauses.module.css';

/** Sites that turned us away: until when they are left alone, and the way to ask them again all the same. */
export function Pauses() {
  const say = useToast();
  const { data = [] } = useQuery({
    queryKey: ['download', 'pauses'],
    queryFn: ({ signal }) => call('GET /api/download/pauses/', { signal }),
    refetchInterval: 60_000,
  });
  const ask = useMutation({
    mutationFn: (site: string) => call('DELETE /api/download/pauses/:site/', { params: { site } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['download'] }),
    onError: (error) => say(error.message, { isDanger: true }),
  });
  return data.map(({ site, until, message, message_said: said }) => (
    <Note key={site} kind="danger">
      <div className={styles.pause}>
        <p>
          <Trans>
            <strong>{site}</strong> is left alone, and asked again <Moment at={until}>{agoText(until)}</Moment>.
          </Trans>{' '}
          {told(message, said)}
        </p>
        <Button size="s" isBusy={ask.isPending} onClick={() => ask.mutate(site)}>
          <Trans>Ask again now</Trans>
        </Button>
      </div>
    </Note>
  ));
}
