import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Storage } from '#contract/stats.ts';
import { sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/user/queries.ts';
import styles from './Dashboard.module.css';
import { Figure } from './Figure.tsx';
import { paceOf, today } from './growth-line.ts';
import { growth, storage } from './queries.ts';
import { Stacked } from './Stacked.tsx';

const paceDays = 30;
const farAway = 3650;

/** How full the disk is, and how long it lasts. */
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
  return (
    <Figure
      title={t`Storage`}
      query={query}
      height={120}
      render={(disk) => {
        const pace = days ? paceOf(days, today(), paceDays) : 0;
        const lasts = disk.free !== null && pace > 0 ? Math.floor(disk.free / pace) : null;
        return (
          <>
            <Stacked label={t`Storage`} parts={parts(disk)} />
            {disk.free === null && (
              <p className={styles.muted}>{t`The disk of the media folder cannot be asked how full it is.`}</p>
            )}
            {lasts !== null && lasts < farAway && (
              <p className={styles.muted}>
                <Plural
                  value={lasts}
                  one="At the pace of the last 30 days it is full in # day."
                  other="At the pace of the last 30 days it is full in # days."
                />
              </p>
            )}
          </>
        );
      }}
      table={(disk) => ({ head: [t`Of`, t`Size`], rows: parts(disk).map(({ name, says }) => [name, says]) })}
    />
  );
}
