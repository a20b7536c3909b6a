import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { sendRequest } from '#web/api/call.ts';
import { Dialog, DoneButton } from '#web/ui/Dialog.tsx';
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx';
import { Address } from './Address.tsx';
import { m3uAddress, type M3uList } from './use-player-links.ts';
import styles from './Sharing.module.css';

/** Shows the address of a list for players, to copy it or for the camera of a phone. */
export function M3uDialog({ list, name, onClose }: { list: M3uList; name: string; onClose(): void }) {
  const { t } = useLingui();
  const address = m3uAddress(list);
  const query = useQuery({
    queryKey: ['m3u', address],
    queryFn: async () => (await sendRequest(address, { method: 'HEAD' })).headers.get('content-location') ?? '',
    staleTime: 0,
  });
  return (
    <Dialog title={t`M3U: ${name}`} onClose={onClose}>
      <p className={styles.text}>
        <Trans>Players such as VLC and mpv open this address. It works without a login for 30 days.</Trans>
      </p>
      <QueryBoundary query={query} skeleton={44}>
        {(url) => <Address url={url} copyLabel={t`Copy M3U address`} />}
      </QueryBoundary>
      <DoneButton onClick={onClose} />
    </Dialog>
  );
}
