import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Storage } from '#contract/stats.ts';
import { dayText } from '#web/format/dates.ts';
import { sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { Figure } from './Figure.tsx';
import { Forecast } from './Forecast.tsx';
import { forecastOf, freeAfter, type Forecast as Found } from './forecast.ts';
import { dateOf, dayOf, today } from './growth-line.ts';
import { growth, storage } from './queries.ts';
import { Stacked } from './Stacked.tsx';

const quarters = [0.25, 0.5, 0.75, 1];

/** How full the disk is, and how long it lasts at the speed of the last weeks; nothing is said when there is too little to go by. */
export function StorageUse() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(storage);
  const days = useQuery(growth).data;
  const parts = ({ free, total, media_size: media, bin_size: bin }: Storage) => [
    { name: t`Videos`, value: media, says: sizeText(media, unit) },
    ...(bin > 0 ? [{ name: t`Bin`, value: bin, says: sizeText(bin, unit) }] : []),
    ...(free !== null && total !== null
      ? [
          {
            name: t`Other files`,
            value: Math.max(0, total - free - media - bin),
            says: sizeText(Math.max(0, total - free - media - bin), unit),
          },
          { name: t`Free`, value: free, says: sizeText(free, unit) },
        ]
      : []),
  ];
  const coming = (forecast: Found, free: number) =>
    quarters.map((share) => {
      const after = forecast.full * share;
      const { least, most } = freeAfter(forecast, free, after);
      return [
        t`Free on ${dayText(dateOf(dayOf(today()) + Math.round(after)))}`,
        least === most ? sizeText(least, unit) : t`${sizeText(least, unit)} to ${sizeText(most, unit)}`,
      ];
    });
  return (
    <Figure
      title={t`Storage`}
      query={query}
      height={120}
      render={(disk) => {
        const forecast = days && disk.free !== null ? forecastOf(days, today(), disk.free) : null;
        return (
          <>
            <Stacked label={t`Storage`} parts={parts(disk)} />
            {disk.free === null && (
              <p className={styles.muted}>{t`The disk of the media folder cannot be asked how full it is.`}</p>
            )}
            {forecast && <Forecast forecast={forecast} free={disk.free!} />}
          </>
        );
      }}
      table={(disk) => {
        const forecast = days && disk.free !== null ? forecastOf(days, today(), disk.free) : null;
        return {
          head: [t`Of`, t`Size`],
          rows: [...parts(disk).map(({ name, says }) => [name, says]), ...(forecast ? coming(forecast, disk.free!) : [])],
        };
      }}
    />
  );
}
