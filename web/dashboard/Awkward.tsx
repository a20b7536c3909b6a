import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useStart } from '#web/downloads/queries.ts';
import { Button } from '#web/ui/Button.tsx';
import { useToast } from '#web/ui/toasts.tsx';
import { useIsStaff } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { awkward } from './queries.ts';

/** How many videos not every iPhone plays, where they are, and what can be done. */
export function Awkward() {
  const { t } = useLingui();
  const say = useToast();
  const start = useStart();
  const isStaff = useIsStaff();
  const { pack = 0, fetch = 0 } = useQuery(awkward).data ?? {};
  if (pack + fetch === 0) return null;
  return (
    <>
      {pack > 0 && (
        <p className={styles.foot}>
          <Link to="/?awkward=pack">
            <Plural
              value={pack}
              one="# video is in a file that iPhones do not open, though they play what is inside"
              other="# videos are in files that iPhones do not open, though they play what is inside"
            />
          </Link>
          {isStaff && (
            <Button
              size="s"
              isBusy={start.isPending}
              onClick={() => start.mutate('remux_awkward', { onSuccess: () => say(t`They are packed anew in the background.`) })}
            >
              <Trans>Pack them all as MP4 (lossless)</Trans>
            </Button>
          )}
        </p>
      )}
      {fetch > 0 && (
        <p className={styles.foot}>
          <Link to="/?awkward=fetch">
            <Plural
              value={fetch}
              one="# video is in a format that not every iPhone plays"
              other="# videos are in formats that not every iPhone plays"
            />
          </Link>
          {isStaff && (
            <Link to="/settings/application/#format">
              <Trans>Choose the format of what comes</Trans>
            </Link>
          )}
        </p>
      )}
    </>
  );
}
