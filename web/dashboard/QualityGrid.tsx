import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Quality } from '#contract/stats.ts';
import { codecName } from '#web/format/codec-name.ts';
import { exactText, sizeText } from '#web/format/numbers.ts';
import { useConfig } from '#web/api/account.ts';
import { IncompatibleFiles } from './IncompatibleFiles.tsx';
import styles from './Dashboard.module.css';
import { ChartCard } from './ChartCard.tsx';
import { quality } from '#web/api/queries/stats.ts';

function Grid({ rows, label }: { rows: Quality[]; label: string }) {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const heights = [...new Set(rows.map(({ height }) => height))];
  const names = [...new Set(rows.map(({ codec }) => codecName(codec)))];
  const sums = (height: number, name: string) =>
    rows
      .filter((row) => row.height === height && codecName(row.codec) === name)
      .reduce((sum, row) => ({ count: sum.count + row.count, bytes: sum.bytes + row.media_size }), { count: 0, bytes: 0 });
  const maxCount = Math.max(1, ...heights.flatMap((height) => names.map((name) => sums(height, name).count)));
  return (
    <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
      <table className={styles.grid}>
        <thead>
          <tr>
            <td />
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heights.map((height) => (
            <tr key={height}>
              <th scope="row">{t`${height}p`}</th>
              {names.map((name) => {
                const { count, bytes } = sums(height, name);
                return (
                  <td
                    key={name}
                    className="number"
                    title={count > 0 ? sizeText(bytes, unit) : undefined}
                    style={{ '--weight': `${count === 0 ? 0 : 8 + Math.round((count / maxCount) * 32)}%` } as React.CSSProperties}
                  >
                    {count > 0 ? exactText(count) : ''}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Number of videos by resolution and codec. */
export function QualityGrid() {
  const { t } = useLingui();
  const unit = useConfig()?.file_size_unit;
  const query = useQuery(quality);
  const title = t`Resolution and codec`;
  return (
    <ChartCard
      title={title}
      isWide
      query={query}
      height={160}
      isEmpty={(rows) => rows.length === 0}
      render={(rows) => (
        <>
          <Grid rows={rows} label={title} />
          <IncompatibleFiles />
        </>
      )}
      table={(rows) => ({
        head: [t`Resolution`, t`Codec`, t`Videos`, t`Size`],
        rows: rows.map((row) => [t`${row.height}p`, codecName(row.codec), exactText(row.count), sizeText(row.media_size, unit)]),
      })}
    />
  );
}
