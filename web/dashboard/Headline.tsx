import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { decimalText, exactText, sizeText } from '#web/format/numbers.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { storage, videoStats, watchStats } from './queries.ts';

const hour = 3600;
const day = 86_400;

/** The four numbers that say how it is. */
export function Headline() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const videos = useQuery(videoStats).data;
  const watch = useQuery(watchStats).data;
  const disk = useQuery(storage);
  const problem = disk.data?.last_problem ?? null;
  const quiet = problem === null ? null : Math.max(0, Math.floor((disk.dataUpdatedAt / 1000 - problem) / day));
  const hoursOf = (seconds: number | undefined) =>
    seconds === undefined
      ? undefined
      : seconds < 10 * hour
        ? decimalText(seconds / hour, 1)
        : exactText(Math.round(seconds / hour));
  const figures: [name: string, value: string | undefined, exact?: string][] = [
    [t`hours kept`, hoursOf(videos?.duration), videos?.duration_str],
    [t`hours watched`, watch && hoursOf(watch.watched?.duration ?? 0), watch?.watched?.duration_str],
    [t`on the disk`, videos && sizeText(videos.media_size, unit), videos && t`${exactText(videos.media_size)} bytes`],
    quiet === null ? [t`problems in the last runs`, disk.data && '0'] : [t`days since the last problem`, exactText(quiet)],
  ];
  return (
    <dl className={styles.headline}>
      {figures.map(([name, value, exact]) => (
        <div key={name} title={exact}>
          <dt>{name}</dt>
          <dd>{value === undefined ? <Skeleton width={96} height={34} /> : <span className="number">{value}</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
