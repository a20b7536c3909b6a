import { useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { Loaded } from '#web/ui/Loaded.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './Dashboard.module.css';

export interface Table {
  head: string[];
  /** The first cell names the row. */
  rows: ReactNode[][];
}

interface Props<T> {
  title: string;
  query: UseQueryResult<T>;
  height: number;
  /** Said instead of the plot when there is nothing. */
  emptyWords?: string;
  isEmpty?(data: T): boolean;
  render(data: T): ReactNode;
  /** The same as the plot, in numbers. */
  table?(data: T): Table;
  isWide?: boolean;
}

export const DataTable = ({ label, head, rows }: Table & { label: string }) => (
  <div className={styles.scroll} tabIndex={0} role="group" aria-label={label}>
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, place) => (
          <tr key={place}>
            {cells.map((cell, at) =>
              at === 0 ? (
                <th key={at} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={at} className="number">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A group of the dashboard: a plot, and the table that it was drawn from, one at a time. */
export function Figure<T>({ title, query, height, emptyWords, isEmpty, render, table, isWide = false }: Props<T>) {
  const { t } = useLingui();
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <section className={`${styles.figure} ${isWide ? styles.wide : ''}`} aria-labelledby={id}>
      <div className={styles.figureHead}>
        <h2 id={id}>{title}</h2>
        {table && query.data !== undefined && !isEmpty?.(query.data) && (
          <Button
            size="s"
            kind={isTable ? 'plain' : 'quiet'}
            icon={isTable ? <IconChartBar aria-hidden /> : <IconTable aria-hidden />}
            aria-pressed={isTable}
            aria-label={t`Table: ${title}`}
            onClick={() => setIsTable(!isTable)}
          >
            {t`Table`}
          </Button>
        )}
      </div>
      {query.isPending && <p className="hidden">{t`Loading...`}</p>}
      <Loaded query={query} skeleton={<Skeleton height={height} />}>
        {(data) =>
          isEmpty?.(data) ? (
            <p className={styles.muted}>{emptyWords}</p>
          ) : isTable && table ? (
            <DataTable label={title} {...table(data)} />
          ) : (
            render(data)
          )
        }
      </Loaded>
    </section>
  );
}
