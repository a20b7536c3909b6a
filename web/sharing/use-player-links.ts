import { useLingui } from '@lingui/react/macro';
import { addressOf, call, callAddress } from '#web/api/call.ts';
import { useCopy } from '#web/ui/copy.ts';
import { useToast } from '#web/ui/toasts.tsx';

/** A list with an M3U for players. */
export interface M3uList {
  type: 'channel' | 'playlist' | 'list';
  id: string;
}

export const m3uAddress = ({ type, id }: M3uList) => callAddress(`/api/${type}/:id/m3u/`, { id });

/** Addresses of lists and videos that players such as VLC and mpv open without a login. */
export function usePlayerLinks() {
  const { t } = useLingui();
  const copy = useCopy();
  const showToast = useToast();
  const orShowError = async (work: Promise<void>) =>
    work.catch((error: unknown) => showToast((error as Error).message, { isDanger: true }));
  return {
    /** Downloads the M3U, which the system opens in its player. */
    openList: (list: M3uList) => location.assign(m3uAddress(list)),
    copyVideo: (id: string) =>
      void orShowError(
        call('GET /api/video/:id/link/', { params: { id } }).then(({ media_url: url }) =>
          copy(addressOf(url), t`Address for players copied. It works without a login for a day.`),
        ),
      ),
  };
}
