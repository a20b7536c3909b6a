import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Storage } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import styles from './Dashboard.module.css';
import { ChartCard } from './ChartCard.tsx';
import { Forecast } from './Forecast.tsx';
import { computeForecast, freeSpaceAfter, type Forecast as Found } from './forecast.ts';
import { dateOf, dayOf, today } from './growth-line.ts';
import { growth, storage } from '#web/api/queries/stats.ts';
import { StackedBar } from './StackedBar.tsx';

const quarters = [0.25, 0.5, 0.75, 1];

/** Disk usage, and a forecast when there is enough data. */
export function StorageUse() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(storage);
  const days = useQuery(growth).data;
  const parts = ({ is_bucket: isBucket, free, total, media_size: media, trash_size: trash }: Storage) => [
    { name: t`Videos`, value: media, valueText: sizeText(media, unit) },
    ...(trash > 0 ? [{ name: t`Trash`, value: trash, valueText: sizeText(trash, unit) }] : []),
    ...(free !== null && total !== null
      ? [
          ...(isBucket
            ? []
            : [
                {
                  name: t`Other files`,
                  value: Math.max(0, total - free - media - trash),
                  valueText: sizeText(Math.max(0, total - free - media - trash), unit),
                },
              ]),
          { name: t`Free`, value: free, valueText: sizeText(free, unit) },
        ]
      : []),
  ];
  const bucketText = ({ total, media_size: media, trash_size: trash }: Storage) => {
    const used = sizeText(media + trash, unit);
    return total === null ? t`${used} in the bucket.` : t`${used} of the ${sizeText(total, unit)} of the bucket are used.`;
  };
  const coming = (forecast: Found, free: number) =>
    quarters.map((share) => {
      const after = forecast.full * share;
      const { least, most } = freeSpaceAfter(forecast, free, after);
      return [
        t`Free on ${dayText(dateOf(dayOf(today()) + Math.round(after)))}`,
        least === most ? sizeText(least, unit) : t`${sizeText(least, unit)} to ${sizeText(most, unit)}`,
      ];
    });
  return (
    <ChartCard
      title={t`Storage`}
      query={query}
      height={120}
      render={(disk) => {
        const forecast = days && disk.free !== null ? computeForecast(days, today(), disk.free) : null;
        return (
          <>
            <StackedBar label={t`Storage`} parts={parts(disk)} />
            {disk.is_bucket && <p className={styles.muted}>{bucketText(disk)}</p>}
            {!disk.is_bucket && disk.free === null && (
              <p className={styles.muted}>{t`Can’t determine the free space of the media folder.`}</p>
            )}
            {forecast && <Forecast forecast={forecast} free={disk.free!} />}
          </>
        );
      }}
      table={(disk) => {
        const forecast = days && disk.free !== null ? computeForecast(days, today(), disk.free) : null;
        return {
          head: [t`Type`, t`Size`],
          rows: [
            ...parts(disk).map(({ name, valueText }) => [name, valueText]),
            ...(forecast ? coming(forecast, disk.free!) : []),
          ],
        };
      }}
    />
  );
}
