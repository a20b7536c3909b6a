import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { dayText } from '#web/format/dates.ts';
import { exactText, lengthText, sizeText } from '#web/format/numbers.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useConfig } from '#web/api/account.ts';
import { pathOfFilter } from '#web/api/queries/video-filter.ts';
import styles from './Dashboard.module.css';
import { computeForecast } from './forecast.ts';
import { dateOf, dayOf, today } from './growth-line.ts';
import { growth, storage, videoStats } from '#web/api/queries/stats.ts';

interface Figure {
  name: string;
  /** Undefined while it is loading. */
  value: ReactNode;
  exact?: string | undefined;
}

/** When the disk is full; the free space while that cannot be foreseen. */
function useFreeSpace(): Figure[] {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const disk = useQuery(storage).data;
  const days = useQuery(growth).data;
  if (!disk || !days) return [{ name: t`Free space`, value: undefined }];
  if (disk.free === null) return [];
  const free = sizeText(disk.free, unit);
  const forecast = computeForecast(days, today(), disk.free);
  if (!forecast) return [{ name: t`Free space`, value: free }];
  return [
    { name: t`Free until about`, value: dayText(dateOf(dayOf(today()) + Math.round(forecast.full))), exact: t`${free} free` },
  ];
}

/** The headline figures. Videos that their source no longer has are linked. */
export function Headline() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const videos = useQuery(videoStats).data;
  const gone = videos?.active_false?.doc_count ?? 0;
  const figures: Figure[] = [
    { name: t`Videos`, value: videos && exactText(videos.doc_count) },
    { name: t`Length`, value: videos && lengthText(videos.duration) },
    {
      name: t`Storage used`,
      value: videos && sizeText(videos.media_size, unit),
      exact: videos && t`${exactText(videos.media_size)} bytes`,
    },
    ...useFreeSpace(),
    {
      name: t`No longer available`,
      value: gone ? (
        <Link
          className={styles.link}
          to={pathOfFilter({ active: false })}
          aria-label={t`${exactText(gone)} no longer available at the source`}
        >
          {exactText(gone)}
        </Link>
      ) : (
        videos && '0'
      ),
    },
  ];
  return (
    <dl className={styles.headline}>
      {figures.map(({ name, value, exact }) => (
        <div key={name} title={exact}>
          <dt>{name}</dt>
          <dd>{value === undefined ? <Skeleton width={96} height={34} /> : <span className="number">{value}</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
