import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useStartTask } from '#web/api/queries/download.ts';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/api/account.ts';
import styles from './Dashboard.module.css';
import { filterSummary } from '#web/api/queries/cleanup.ts';
import { incompatible } from '#web/api/queries/stats.ts';

/** Number of videos in less than the best quality, and that not every iPhone plays, with links and a remux button. */
export function IncompatibleFiles() {
  const { t } = useLingui();
  const showToast = useToast();
  const start = useStartTask();
  const isStaff = useIsStaff();
  const { remux = 0, redownload = 0 } = useQuery(incompatible).data ?? {};
  const limited = useQuery(filterSummary({ limited: true })).data?.videos ?? 0;
  if (remux + redownload + limited === 0) return null;
  return (
    <>
      {limited > 0 && (
        <p className={styles.cardFoot}>
          <Link to="/?limited=true">
            <Plural
              value={limited}
              one="# video exists in a better quality at its source"
              other="# videos exist in a better quality at their sources"
            />
          </Link>
        </p>
      )}
      {remux > 0 && (
        <p className={styles.cardFoot}>
          <Link to="/?incompatible=remux">
            <Plural
              value={remux}
              one="# video is in a container iPhones can’t open, although they support its codecs"
              other="# videos are in a container iPhones can’t open, although they support the codecs"
            />
          </Link>
          {isStaff && (
            <Button
              size="s"
              isBusy={start.isPending}
              onClick={() => start.mutate('remux_incompatible', { onSuccess: () => showToast(t`Remuxing in the background.`) })}
            >
              <Trans>Remux all to MP4 (lossless)</Trans>
            </Button>
          )}
        </p>
      )}
      {redownload > 0 && (
        <p className={styles.cardFoot}>
          <Link to="/?incompatible=redownload">
            <Plural
              value={redownload}
              one="# video uses a format that not every iPhone can play"
              other="# videos use a format that not every iPhone can play"
            />
          </Link>
          {isStaff && (
            <Link to="/settings/application/format/">
              <Trans>Change the download format</Trans>
            </Link>
          )}
        </p>
      )}
    </>
  );
}
